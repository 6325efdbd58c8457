//! Borders of generic code: functions compiled once for each word, in the crate that declares them.
//!
//! In: generic functions. Out: a trait whose methods are those functions, compiled for every word. Never: a generic method: other
//! crates would compile it again, which cost the program 4 MB and a minute of its build.

/// Declares a trait with a method for each generic function named behind `=`, implemented for every word.
#[macro_export]
macro_rules! compile_per_word {
    (
        $(#[$doc:meta])*
        $visibility:vis trait $name:ident: $base:path {
            $(fn $method:ident($($argument:ident: $type:ty),* $(,)?) -> $result:ty = $function:path;)*
        }
    ) => {
        $(#[$doc])*
        $visibility trait $name: $base {
            $(
                #[doc(hidden)]
                fn $method($($argument: $type),*) -> $result;
            )*
        }
        impl $name for u64 {
            $(fn $method($($argument: $type),*) -> $result { $function($($argument),*) })*
        }
        impl $name for u128 {
            $(fn $method($($argument: $type),*) -> $result { $function($($argument),*) })*
        }
        impl $name for $crate::Wide<4> {
            $(fn $method($($argument: $type),*) -> $result { $function($($argument),*) })*
        }
    };
}
