// Import this before uPlot, which formats numbers in the browser's language when it is loaded: in a browser that reports a system locale
// that is not a language tag, such as `en-US@posix`, the page would stay empty.
try {
  Intl.getCanonicalLocales(navigator.language);
} catch {
  Object.defineProperty(navigator, 'language', { value: 'en-US' });
}
