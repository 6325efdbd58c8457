//! Every text of a page that is in words, so that all of them can be translated.
//!
//! Not among them: the command, the version, the plan and the digests, which are read letter by letter.

use super::{ReportPage, Section, Table, Wording};

impl ReportPage {
    /// Every text in words, wherever it stands on the page; names of games and players are among them.
    pub fn texts_mut(&mut self) -> Vec<&mut String> {
        let Wording { language: _, heading, command, version, seed, convention, rules } = &mut self.wording;
        let wording = [heading, command, version, seed, convention, rules];
        let sentences = [&mut self.title].into_iter().chain(&mut self.summary).chain(&mut self.conventions);
        let shown = self.sections.iter_mut().flat_map(Section::texts_mut);
        sentences.chain(shown).chain(wording).collect()
    }
}

impl Section {
    fn texts_mut(&mut self) -> Vec<&mut String> {
        let words = [&mut self.heading].into_iter().chain(&mut self.paragraphs);
        let picture = self.figure.iter_mut().flat_map(|picture| {
            [&mut picture.caption].into_iter().chain(picture.figure.texts_mut()).collect::<Vec<_>>()
        });
        words.chain(picture).chain(self.table.iter_mut().flat_map(Table::texts_mut)).collect()
    }
}

impl Table {
    fn texts_mut(&mut self) -> Vec<&mut String> {
        let columns = self.columns.iter_mut().flat_map(|column| [&mut column.name, &mut column.unit]);
        columns.chain(self.rows.iter_mut().flatten().map(|cell| &mut cell.text)).collect()
    }
}
