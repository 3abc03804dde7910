//! As much of JSON as the pantry's files need: numbers are whole or kept as they are written.

use std::iter::Peekable;
use std::str::Chars;

#[derive(Clone, Debug, PartialEq)]
pub enum Json {
    Word(&'static str),
    Number(String),
    Text(String),
    List(Vec<Json>),
    Object(Vec<(String, Json)>),
}

impl Json {
    pub fn text(text: &str) -> Self {
        Self::Text(text.to_owned())
    }

    pub fn object<const N: usize>(fields: [(&str, Json); N]) -> Self {
        Self::Object(fields.map(|(key, value)| (key.to_owned(), value)).into())
    }

    pub fn as_text(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(text),
            _ => None,
        }
    }

    pub fn as_number(&self) -> Option<u64> {
        match self {
            Self::Number(number) => number.parse().ok(),
            _ => None,
        }
    }

    pub fn as_list(&self) -> Option<&[Json]> {
        match self {
            Self::List(items) => Some(items),
            _ => None,
        }
    }

    pub fn field(&self, name: &str) -> Option<&Json> {
        match self {
            Self::Object(fields) => fields.iter().find(|(key, _)| key == name).map(|(_, value)| value),
            _ => None,
        }
    }

    /// On one line, with one space after each colon and comma.
    pub fn write(&self) -> String {
        match self {
            Self::Word(word) => (*word).to_owned(),
            Self::Number(number) => number.clone(),
            Self::Text(text) => quoted(text),
            Self::List(items) => format!("[{}]", items.iter().map(Self::write).collect::<Vec<_>>().join(", ")),
            Self::Object(fields) => {
                let pair = |(key, value): &(String, Json)| format!("{}: {}", quoted(key), value.write());
                format!("{{{}}}", fields.iter().map(pair).collect::<Vec<_>>().join(", "))
            }
        }
    }

    /// The value that `text` holds; `None` if it is no JSON.
    pub fn read(text: &str) -> Option<Self> {
        let mut reader = Reader(text.chars().peekable());
        let value = reader.value()?;
        reader.space();
        reader.0.next().is_none().then_some(value)
    }
}

fn quoted(text: &str) -> String {
    let mut out = String::from('"');
    for char in text.chars() {
        match char {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            char if char.is_control() => out.push_str(&format!("\\u{:04x}", char as u32)),
            char => out.push(char),
        }
    }
    out.push('"');
    out
}

struct Reader<'a>(Peekable<Chars<'a>>);

impl Reader<'_> {
    fn space(&mut self) {
        while self.0.next_if(|c| " \t\r\n".contains(*c)).is_some() {}
    }

    /// Takes `char` behind white space, if it comes next.
    fn take(&mut self, char: char) -> bool {
        self.space();
        self.0.next_if_eq(&char).is_some()
    }

    fn value(&mut self) -> Option<Json> {
        self.space();
        match *self.0.peek()? {
            '"' => self.string().map(Json::Text),
            '[' => self.items(']', Self::value).map(Json::List),
            '{' => self.items('}', Self::pair).map(Json::Object),
            '-' | '0'..='9' => self.number(),
            _ => self.word(),
        }
    }

    /// What stands between the bracket that comes next and `end`.
    fn items<T>(&mut self, end: char, read: impl Fn(&mut Self) -> Option<T>) -> Option<Vec<T>> {
        self.0.next();
        let mut items = Vec::new();
        if self.take(end) {
            return Some(items);
        }
        loop {
            items.push(read(self)?);
            if self.take(end) {
                return Some(items);
            }
            if !self.take(',') {
                return None;
            }
        }
    }

    fn pair(&mut self) -> Option<(String, Json)> {
        self.space();
        let key = self.string()?;
        if !self.take(':') {
            return None;
        }
        Some((key, self.value()?))
    }

    fn string(&mut self) -> Option<String> {
        self.0.next_if_eq(&'"')?;
        let mut text = String::new();
        loop {
            match self.0.next()? {
                '"' => return Some(text),
                '\\' => text.push(self.escaped()?),
                char if (char as u32) < 0x20 => return None,
                char => text.push(char),
            }
        }
    }

    fn escaped(&mut self) -> Option<char> {
        Some(match self.0.next()? {
            'b' => '\u{8}',
            'f' => '\u{c}',
            'n' => '\n',
            'r' => '\r',
            't' => '\t',
            'u' => return self.code_point(),
            char if "\"\\/".contains(char) => char,
            _ => return None,
        })
    }

    /// A character by its number, or by two that stand for one.
    fn code_point(&mut self) -> Option<char> {
        let first = self.hex()?;
        if !(0xd800..0xdc00).contains(&first) {
            return char::from_u32(first);
        }
        self.0.next_if_eq(&'\\')?;
        self.0.next_if_eq(&'u')?;
        let second = self.hex()?.checked_sub(0xdc00)?;
        char::from_u32(0x10000 + ((first - 0xd800) << 10) + second)
    }

    fn hex(&mut self) -> Option<u32> {
        (0..4).try_fold(0, |sum, _| Some(sum * 16 + self.0.next()?.to_digit(16)?))
    }

    fn number(&mut self) -> Option<Json> {
        let mut text = String::new();
        while let Some(char) = self.0.next_if(|c| c.is_ascii_digit() || "+-.eE".contains(*c)) {
            text.push(char);
        }
        text.parse::<f64>().ok().map(|_| Json::Number(text))
    }

    fn word(&mut self) -> Option<Json> {
        let mut text = String::new();
        while let Some(char) = self.0.next_if(char::is_ascii_lowercase) {
            text.push(char);
        }
        ["null", "true", "false"].into_iter().find(|word| *word == text).map(Json::Word)
    }
}
