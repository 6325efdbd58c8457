//! A query that is written is read again, and an error lies within the text. Each case was found by fuzzing.

use ashta_records::{read_query, write_query};
use ashta_rules::load;

#[test]
fn edges_of_ranges_are_read_as_they_are_written() {
    let rules = load("shogi").expect("the library is sound");
    for text in [
        "date<2000",
        "date>1999",
        "date<2000-06",
        "date>2000-05",
        "date<2000-06-01",
        "date>1999-12-31",
        "date<=2000",
        "date>=1999-05",
        "date<1",
        "date>9999",
        "date=1999..2000-06",
        "ply<0",
        "ply>65535",
        "hand(P)<0",
        "count(P)<0",
        "length<0",
        "rating<0",
    ] {
        let query = read_query(text, &rules).unwrap_or_else(|error| panic!("{text}: {error}"));
        let written = write_query(&query, &rules);
        assert_eq!(read_query(&written, &rules), Ok(query), "{text} is written as {written}");
    }
}

#[test]
fn an_error_in_a_position_is_within_the_text() {
    let rules = load("shogi").expect("the library is sound");
    let offset = |text: &str| read_query(text, &rules).expect_err("no position").offset;
    assert_eq!(offset("position 2l"), "position 2l".len());
    assert_eq!(offset("position \"2l\""), "position \"2l".len());
}
