//! The fields of the query language: the parser, the hints and the help are made from this list.

/// Every field with its help text.
pub const FIELDS: [(&str, &str); 18] = [
    ("hand", "how many of a piece a side holds: hand(P)>=2"),
    ("count", "how many pieces stand on the board: count(Q)=0, count(r|b|n)>=2"),
    ("turn", "whose turn it is: turn=first"),
    ("ply", "plies from the start: ply<=40"),
    ("position", "exactly this position: position \"FEN\", or position start"),
    ("player", "either player: player=\"name\""),
    ("event", "the event"),
    ("opening", "the opening's name or code"),
    ("date", "a year, a month or a day: date=1990..1995-06"),
    ("result", "1-0, 0-1, draw, unknown, or the side that won"),
    ("rating", "of every player, or rating(first): rating>=2400"),
    ("length", "plies of the game: length<40"),
    ("tag", "any other tag: tag(Round)=\"4\""),
    ("game", "every position of the games in which something is found: game(...)"),
    ("lasting", "intervals of so many plies: lasting(...)>=20"),
    ("anywhere", "a shape at every place of the board: anywhere(...)"),
    ("mirrored", "and with left and right exchanged: mirrored(...)"),
    ("swapped", "and with the sides exchanged: swapped(...)"),
];
