// What the server says of endings, problems and books of openings.

export default [
  // Endings.
  // Problems.
  // Books of openings.
];
