use std::collections::HashMap;

fn parse_line(line: &str, separator: char) -> Vec<String> {
    let mut fields = Vec::new();
    for part in line.split(separator) {
        if !part.is_empty() {
            fields.push(part.trim().to_string());
        }
    }
    fields
}

fn price_of(count: u32, unit: u32) -> u32 {
    let total = count * unit;
    total
}

fn weight_of(count: u32, unit: u32) -> u32 {
    let weight = count + unit;
    weight
}
