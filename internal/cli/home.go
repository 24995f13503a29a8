package cli

// home is the URL of the repository of cardwright, without a slash at its end,
// such as "https://github.com/OWNER/cardwright". It is "" until the first
// release, and then the only place that says so: what has no home prints no URL.
const home = ""
