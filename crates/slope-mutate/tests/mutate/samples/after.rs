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

pub fn load(path: &str, limit: u32) -> Result<Vec<String>, Error> {
    if path.is_empty() {
        return Err(Error::Missing);
    }
    let mut known: HashMap<String, u32> = HashMap::new();
    let order_rows = parse_line(path, ';');
    let price = price_of(limit, 3);
    let weight = weight_of(limit, 2);
    check(path, price)?;
    log::info!("done");
    match read(path) {
        Ok(text) => known.insert(text, weight),
        Err(Error::Missing) => None,
    };
    while known.len() > 3 {
        known.clear();
    }
    known.insert(path.to_string(), std::cmp::max(price, weight));
    return Ok(order_rows);
}

pub fn report(rows: &[String], out: &mut Writer) {
    if !rows.is_empty() {
        out.write(rows);
        out.flush();
    }
}
