//! `#[derive(Tell)]`.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use syn::{Attribute, Data, DeriveInput, Error, Fields, Ident, LitStr, Result, Type, Variant};

use crate::catalogue::Entry;

/// What `#[code(...)]` says.
enum Code {
    Catalogue(LitStr),
    Transparent,
}

fn code_of(attributes: &[Attribute], owner: &Ident) -> Result<Code> {
    let Some(attribute) = attributes.iter().find(|attribute| attribute.path().is_ident("code")) else {
        return Err(Error::new(owner.span(), "a code is missing: `#[code(\"area.name\")]`"));
    };
    if let Ok(word) = attribute.parse_args::<Ident>() {
        return match word == "transparent" {
            true => Ok(Code::Transparent),
            false => Err(Error::new(word.span(), "expected a code or `transparent`")),
        };
    }
    attribute.parse_args().map(Code::Catalogue)
}

/// The arms of one variant or of a struct.
struct Arms {
    message: TokenStream,
    hint: TokenStream,
    tracking: TokenStream,
}

pub fn tell(input: &DeriveInput) -> Result<TokenStream> {
    let name = &input.ident;
    let mut arms = Vec::new();
    let mut conversions = Vec::new();
    match &input.data {
        Data::Struct(data) => arms.push(arms_of(quote!(Self), &data.fields, code_of(&input.attrs, name)?)?),
        Data::Enum(data) => {
            for variant in &data.variants {
                let path = &variant.ident;
                arms.push(arms_of(quote!(Self::#path), &variant.fields, code_of(&variant.attrs, path)?)?);
                conversions.extend(conversion(name, variant));
            }
        }
        Data::Union(_) => return Err(Error::new(name.span(), "a union tells nothing")),
    }
    let (messages, hints, tracking): (Vec<_>, Vec<_>, Vec<_>) = (
        arms.iter().map(|arms| &arms.message).collect(),
        arms.iter().map(|arms| &arms.hint).collect(),
        arms.iter().map(|arms| &arms.tracking).collect(),
    );
    Ok(quote! {
        const _: () = {
            #(#tracking)*
        };
        impl ::ashta_messages::Tell for #name {
            fn message(&self) -> ::ashta_messages::Message {
                match self { #(#messages)* }
            }
            fn hint(&self) -> ::core::option::Option<::ashta_messages::Message> {
                match self { #(#hints)* }
            }
        }
        impl ::ashta_messages::ToArg for #name {
            fn to_arg(&self) -> ::ashta_messages::Arg {
                ::ashta_messages::ToArg::to_arg(&::ashta_messages::Tell::message(self))
            }
        }
        impl ::core::fmt::Display for #name {
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                ::core::fmt::Display::fmt(&::ashta_messages::Tell::message(self), f)
            }
        }
        impl ::std::error::Error for #name {}
        #(#conversions)*
    })
}

/// `impl From` for a variant whose field has `#[from]`.
fn conversion(name: &Ident, variant: &Variant) -> Option<TokenStream> {
    let field = variant.fields.iter().find(|field| field.attrs.iter().any(|a| a.path().is_ident("from")))?;
    let (path, source): (&Ident, &Type) = (&variant.ident, &field.ty);
    let value = match &field.ident {
        Some(field) => quote!(#name::#path { #field: source }),
        None => quote!(#name::#path(source)),
    };
    Some(quote! {
        impl ::core::convert::From<#source> for #name {
            fn from(source: #source) -> #name {
                #value
            }
        }
    })
}

fn arms_of(path: TokenStream, fields: &Fields, code: Code) -> Result<Arms> {
    match code {
        Code::Transparent => transparent(path, fields),
        Code::Catalogue(code) => catalogued(path, fields, &code),
    }
}

fn transparent(path: TokenStream, fields: &Fields) -> Result<Arms> {
    let Fields::Unnamed(only) = fields else {
        return Err(Error::new_spanned(fields, "`transparent` is for a variant with one unnamed field"));
    };
    if only.unnamed.len() != 1 {
        return Err(Error::new_spanned(fields, "`transparent` is for a variant with one unnamed field"));
    }
    Ok(Arms {
        message: quote! { #path(inner) => ::ashta_messages::Tell::message(inner), },
        hint: quote! { #path(inner) => ::ashta_messages::Tell::hint(inner), },
        tracking: TokenStream::new(),
    })
}

fn catalogued(path: TokenStream, fields: &Fields, code: &LitStr) -> Result<Arms> {
    let names: Vec<(String, Ident)> = fields
        .iter()
        .enumerate()
        .map(|(n, field)| match &field.ident {
            Some(name) => (name.to_string(), name.clone()),
            None => (n.to_string(), format_ident!("field{n}")),
        })
        .collect();
    let entry = Entry::find(code)?;
    let hint = Entry::find_hint(code)?;
    let message = arm(&path, fields, &names, &entry, code)?;
    let tracking = entry.tracking();
    let hint = match &hint {
        None => quote! { #path { .. } => ::core::option::Option::None, },
        Some(hint) => {
            let pattern = pattern(&path, fields, &names, hint);
            let value = made(&names, hint, code)?;
            quote! { #pattern => ::core::option::Option::Some(#value).filter(::ashta_messages::Message::is_complete), }
        }
    };
    Ok(Arms { message, hint, tracking })
}

fn arm(
    path: &TokenStream,
    fields: &Fields,
    names: &[(String, Ident)],
    entry: &Entry,
    code: &LitStr,
) -> Result<TokenStream> {
    let (pattern, value) = (pattern(path, fields, names, entry), made(names, entry, code)?);
    Ok(quote! { #pattern => #value, })
}

/// Binds the fields that the sentence speaks of.
fn pattern(path: &TokenStream, fields: &Fields, names: &[(String, Ident)], entry: &Entry) -> TokenStream {
    let used = |name: &String| entry.places.contains(name);
    match fields {
        Fields::Named(_) => {
            let bound = names.iter().filter(|(name, _)| used(name)).map(|(_, ident)| ident);
            quote!(#path { #(#bound,)* .. })
        }
        Fields::Unnamed(_) => {
            let bound = names.iter().map(|(name, ident)| if used(name) { quote!(#ident) } else { quote!(_) });
            quote!(#path(#(#bound),*))
        }
        Fields::Unit => quote!(#path),
    }
}

/// The message, made of the bound fields.
fn made(names: &[(String, Ident)], entry: &Entry, code: &LitStr) -> Result<TokenStream> {
    if let Some(place) = entry.places.iter().find(|place| names.iter().all(|(name, _)| name != *place)) {
        return Err(Error::new(
            code.span(),
            format!("`{}` speaks of `{place}`, which is not a field", entry.code),
        ));
    }
    let used: Vec<&(String, Ident)> = names.iter().filter(|(name, _)| entry.places.contains(name)).collect();
    let args = used.iter().map(|(name, ident)| quote! { (#name, ::ashta_messages::ToArg::to_arg(#ident)) });
    let names: Vec<String> = used.iter().map(|(name, _)| name.clone()).collect();
    let entry = entry.tokens(&names);
    Ok(quote! {
        ::ashta_messages::Message::from_catalogue(#entry, ::std::vec![#(#args),*])
    })
}
