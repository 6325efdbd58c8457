//! `message!("area.name", n = 12, game)`.

use std::collections::BTreeSet;

use proc_macro2::TokenStream;
use quote::quote;
use syn::parse::{Parse, ParseStream};
use syn::{Error, Expr, Ident, LitStr, Result, Token};

use crate::catalogue::Entry;

/// A call of the macro.
pub struct Call {
    code: LitStr,
    args: Vec<(Ident, Expr)>,
}

impl Parse for Call {
    fn parse(input: ParseStream<'_>) -> Result<Call> {
        let code = input.parse()?;
        let mut args = Vec::new();
        while input.parse::<Option<Token![,]>>()?.is_some() && !input.is_empty() {
            let name: Ident = input.parse()?;
            let value = match input.parse::<Option<Token![=]>>()? {
                Some(_) => input.parse()?,
                None => syn::parse_quote!(#name),
            };
            args.push((name, value));
        }
        Ok(Call { code, args })
    }
}

pub fn expand(call: &Call) -> Result<TokenStream> {
    let entry = Entry::find(&call.code)?;
    let given: BTreeSet<String> = call.args.iter().map(|(name, _)| name.to_string()).collect();
    if given != entry.places {
        let names = |set: &BTreeSet<String>| set.iter().cloned().collect::<Vec<_>>().join(", ");
        let what = format!("the message speaks of [{}], given are [{}]", names(&entry.places), names(&given));
        return Err(Error::new(call.code.span(), what));
    }
    let names: Vec<String> = call.args.iter().map(|(name, _)| name.to_string()).collect();
    let (tokens, tracking) = (entry.tokens(&names), entry.tracking());
    let args = call.args.iter().map(|(name, value)| {
        let name = name.to_string();
        quote! { (#name, ::ashta_messages::ToArg::to_arg(&(#value))) }
    });
    Ok(quote! {{
        #tracking
        ::ashta_messages::Message::from_catalogue(#tokens, ::std::vec![#(#args),*])
    }})
}
