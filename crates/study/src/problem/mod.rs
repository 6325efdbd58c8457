//! Problems: mate in n, mates by consecutive checks.
pub mod checks;
pub mod mate;
pub mod memory;
