// bare(args, secret) -> what FUNCTION answers, as it is: for a document of ours, or for one read in the sandbox, without the library.
(args, secret) =>
  (
FUNCTION
  )(null, JSON.parse(args), secret && secret.secret)
