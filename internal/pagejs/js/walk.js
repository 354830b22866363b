// walk(lib, WalkArgs) -> Doc: reads the document as a tree, after settling where asked; reads.
(lib, args) => lib.walk(args)
