export default { en: {}, ja: {} };
