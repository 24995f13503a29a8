package cli

// home is the URL of the repository of cardwright, without a slash at its end,
// such as "https://github.com/OWNER/cardwright". It is "" until the first
// release. No other place states it, and without it no URL is printed.
const home = ""
