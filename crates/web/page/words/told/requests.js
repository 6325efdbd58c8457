// What the server says of requests as such, of names and of its data folder.

export default [
];
