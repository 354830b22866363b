// arm(lib, {node}) -> token: listens for what the next press hits.
(lib, { node }) => lib.arm(lib.node(node))
