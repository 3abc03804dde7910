//! CPU time and memory of grading: `timing BASE REQUESTS OUTPUT` grades each line alone, in one thread.

#![expect(clippy::print_stdout, reason = "it prints what it measures")]

use std::error::Error;
use std::fs::File;
use std::io::{BufRead, BufReader, BufWriter, Write};

use slope_grade::{Engine, Grader, Pack, stream};

/// The allocator of `slope`.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// CPU time of the process in milliseconds.
fn cpu() -> f64 {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
    #[expect(clippy::cast_precision_loss, reason = "a short time")]
    let ms = time.tv_sec as f64 * 1e3 + time.tv_nsec as f64 / 1e6;
    ms
}

/// Largest memory of the process so far, as the system prints it.
fn peak_memory() -> String {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.unwrap_or("unknown").trim().to_owned()
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [base, requests, output] = &arguments[..] else {
        return Err("usage: timing BASE REQUESTS OUTPUT".into());
    };
    let start = cpu();
    let mut grader = Grader::new(Engine::new(1)?.open(base, 0)?, Pack::default());
    let index = (cpu() - start) / 1e3;
    println!("index: {index:.2} s of CPU, {}", peak_memory());
    let mut output = BufWriter::new(File::create(output)?);
    let mut times = Vec::new();
    for line in BufReader::new(File::open(requests)?).lines() {
        let line = line?;
        let start = cpu();
        let mut grade = Vec::new();
        stream::grade_lines(&mut grader, line.as_bytes(), &mut grade)?;
        times.push(cpu() - start);
        output.write_all(&grade)?;
    }
    output.flush()?;
    times.sort_by(f64::total_cmp);
    let count = times.len();
    let at = |percent: usize| {
        let at = (count.saturating_sub(1) * percent) / 100;
        times.get(at).copied().unwrap_or_default()
    };
    #[expect(clippy::cast_precision_loss, reason = "few requests")]
    let rate = count as f64 / times.iter().sum::<f64>() * 1e3;
    println!(
        "{count} edits: p50 {:.2} ms, p95 {:.2} ms, p99 {:.2} ms, {rate:.1} per second of CPU, {}",
        at(50),
        at(95),
        at(99),
        peak_memory()
    );
    Ok(())
}
