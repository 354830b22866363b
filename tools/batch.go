package tools

import "duet/dispatch"

var _ = declare(dispatch.Spec{
	Verb:    "batch",
	Tool:    "browser_batch",
	Title:   "Batch",
	Summary: "Run known tool calls in order, in one turn; stops at the first failure. One observation follows.",
	Detail:  "Every step is checked against the schema of its tool before the first one runs. Nothing is repeated or replaced. On the command line the steps are a JSON array: an argument, a file or standard input.",
	Example: "batch < steps.json",
	Profile: dispatch.Core,
}, dispatch.RunBatch, dispatch.CheckBatch())
