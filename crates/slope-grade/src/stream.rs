//! JSON lines in, JSON lines out: one grade per line, in order. A bad line gets a grade with an error.

use std::io::{self, BufRead, BufWriter, Read, Write};

use rayon::prelude::*;
use slope_model::grade::{Fault, Grade};
use slope_model::grade_request::Request;

use crate::edit::fault;
use crate::grader::{Begun, Grader};
use crate::pack::Pack;
use crate::record::{BadRecord, read_request};
use crate::shaping::Place;
use crate::tests::finish_all;

/// Lines that are graded at the same time.
const BATCH: usize = 256;

/// Longest line in bytes.
const MAX_LINE: usize = 16 << 20;

/// Bytes of lines that are held at the same time, apart from the last line.
const MAX_HELD: usize = 64 << 20;

/// Grades each line of the input. Empty lines are left out.
///
/// # Errors
/// If the input cannot be read or the output cannot be written.
pub fn grade_lines(
    graders: &mut impl Graders,
    mut input: impl BufRead,
    mut output: impl Write,
) -> io::Result<Counts> {
    let mut counts = Counts::default();
    let mut number = 0;
    while let Some(records) = read_records(graders, &mut input, &mut number)? {
        let grades: Vec<Grade> = records.into_iter().map(|(grade, _)| grade).collect();
        write(&grades, &mut output, &mut counts)?;
    }
    Ok(counts)
}

/// A grade, and where its request belongs.
pub type Record = (Grade, Place);

/// A line of the input.
pub struct Line {
    /// Its number from 1.
    number: usize,
    text: Vec<u8>,
}

impl Line {
    /// The request in it, or its id and what is wrong with it.
    pub(crate) fn request(&self) -> Result<Request, (String, Fault)> {
        let number = self.number;
        if self.text.len() > MAX_LINE {
            let message = format!("line {number} is too long");
            let help = format!("a record has at most {MAX_LINE} bytes");
            return Err((String::new(), fault("", message, &help)));
        }
        let read = read_request(&self.text, &format!("line {number}"));
        read.map_err(|BadRecord { id, fault }| (id, fault))
    }
}

/// What grades the lines of a stream.
pub trait Graders {
    /// The grades of lines, in their order.
    fn grade(&mut self, lines: Vec<Line>) -> Vec<Record>;

    /// The pack.
    fn pack(&self) -> &Pack;
}

impl Graders for Grader {
    fn grade(&mut self, lines: Vec<Line>) -> Vec<Record> {
        let begun: Vec<(Begun, Place)> = self.install(|grader| {
            let lines = lines.into_par_iter().with_max_len(1);
            lines.map(|line| begin_line(grader, &line)).collect()
        });
        let (begun, places): (Vec<Begun>, Vec<_>) = begun.into_iter().unzip();
        finish_all(self, begun).into_iter().zip(places).collect()
    }

    fn pack(&self) -> &Pack {
        Self::pack(self)
    }
}

/// Grades the next lines; `None` at the end of the input. `number` counts lines.
pub(crate) fn read_records(
    graders: &mut impl Graders,
    input: &mut impl BufRead,
    number: &mut usize,
) -> io::Result<Option<Vec<Record>>> {
    let mut lines = Vec::with_capacity(BATCH);
    let (mut is_end, mut held) = (false, 0);
    while lines.len() < BATCH && held < MAX_HELD && !is_end {
        let line = read_line(input)?;
        is_end = line.is_none();
        *number += 1;
        held += line.as_ref().map_or(0, Vec::len);
        let filled = line.filter(|line| !line.trim_ascii().is_empty());
        lines.extend(filled.map(|text| Line {
            number: *number,
            text,
        }));
    }
    if lines.is_empty() && is_end {
        return Ok(None);
    }
    Ok(Some(graders.grade(lines)))
}

/// The next line; `None` at the end. Of a line that is too long, only a beginning that is too long is kept.
fn read_line(input: &mut impl BufRead) -> io::Result<Option<Vec<u8>>> {
    let mut line = Vec::new();
    let limit = MAX_LINE as u64 + 1;
    if input.by_ref().take(limit).read_until(b'\n', &mut line)? == 0 {
        return Ok(None);
    }
    if line.len() > MAX_LINE && line.last() != Some(&b'\n') {
        input.skip_until(b'\n')?;
    }
    Ok(Some(line))
}

/// Writes grades as lines, and counts them.
pub(crate) fn write(grades: &[Grade], output: impl Write, counts: &mut Counts) -> io::Result<()> {
    let mut output = BufWriter::new(output);
    for grade in grades {
        counts.records += 1;
        counts.errors += usize::from(grade.error.is_some());
        serde_json::to_writer(&mut output, grade)?;
        output.write_all(b"\n")?;
    }
    output.flush()
}

/// Records of a stream.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Counts {
    /// All records.
    pub records: usize,
    /// Those that could not be graded.
    pub errors: usize,
}

fn begin_line(grader: &Grader, line: &Line) -> (Begun, Place) {
    match line.request() {
        Ok(request) => (grader.begin(&request), Place::from(&request)),
        Err((id, fault)) => (grader.faulty(&id, fault).into(), Place::default()),
    }
}
