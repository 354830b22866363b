// clone(lib) -> window: opens an empty popup of this page, which begins with a copy of the tab's session storage.
() => globalThis.open('about:blank', '_blank')
