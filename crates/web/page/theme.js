// Before the first paint: the theme and the language that were chosen last, so that nothing flickers.
(function () {
  const root = document.documentElement;
  const chosen = (name) => {
    try {
      return localStorage.getItem(name);
    } catch {
      return null;
    }
  };
  const theme = chosen("theme");
  if (theme) root.dataset.theme = theme;
  root.lang = chosen("language") || (navigator.language.startsWith("ja") ? "ja" : "en");
})();
