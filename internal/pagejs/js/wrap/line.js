// line -> text: the line that an error of a script that does not parse names, in the page's own realm.
(error) => '' + error.lineNumber
