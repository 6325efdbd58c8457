// What the server says of collections, queries, imports and exports.

export default [
  // Collections.
  // Searching.
  // Queries.
  // Imports, exports, surveys.
  // Records that are refused.
];
