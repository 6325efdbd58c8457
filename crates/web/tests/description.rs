//! The description of the API tells what its routes take.

use std::collections::BTreeSet;

use serde_json::Value;

/// Every operation of the description: its name, its path, itself.
fn operations(description: &Value) -> Vec<(String, &str, &Value)> {
    let paths = description["paths"].as_object().expect("paths");
    assert!(paths.len() > 50, "{} paths", paths.len());
    let mut all = Vec::new();
    for (path, methods) in paths {
        for (method, operation) in methods.as_object().expect("methods") {
            all.push((format!("{method} {path}"), path.as_str(), operation));
        }
    }
    all
}

#[test]
fn every_parameter_of_a_path_is_declared() {
    let description: Value = serde_json::from_str(ashta_web::OPENAPI).expect("JSON");
    for (name, path, operation) in operations(&description) {
        let in_path: BTreeSet<&str> =
            path.split('{').skip(1).map(|rest| rest.split('}').next().unwrap_or_default()).collect();
        let parameters = operation["parameters"].as_array().cloned().unwrap_or_default();
        let of_path = parameters.iter().filter(|parameter| parameter["in"] == "path");
        let declared: BTreeSet<&str> =
            of_path.clone().filter_map(|parameter| parameter["name"].as_str()).collect();
        assert_eq!(declared, in_path, "{name}");
        assert!(of_path.clone().all(|parameter| parameter["required"] == true), "{name}");
        let elsewhere = parameters.iter().filter(|parameter| parameter["in"] != "path");
        assert!(elsewhere.clone().all(|parameter| parameter["in"] == "query"), "{name}: {parameters:?}");
    }
}

#[test]
fn every_operation_tells_of_refusals_and_of_the_token() {
    let description: Value = serde_json::from_str(ashta_web::OPENAPI).expect("JSON");
    assert_eq!(description["components"]["securitySchemes"]["token"]["scheme"], "bearer");
    assert_eq!(description["security"], serde_json::json!([{ "token": [] }]));
    for (name, _, operation) in operations(&description) {
        let refused = &operation["responses"]["default"]["content"]["application/json"]["schema"]["$ref"];
        assert_eq!(refused, "#/components/schemas/ErrorBody", "{name}");
    }
}
