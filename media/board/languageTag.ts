// Imported before uPlot, which formats numbers by the browser's language as soon as it is loaded: a browser that passes on a system's
// locale that is no language tag, such as `en-US@posix`, would leave the page empty.
try {
  Intl.getCanonicalLocales(navigator.language);
} catch {
  Object.defineProperty(navigator, 'language', { value: 'en-US' });
}
