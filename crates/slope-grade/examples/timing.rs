//! Throw-away: CPU time per graded request.
use std::io::{BufRead, Write};

#[global_allocator]
static A: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn cpu() -> f64 {
    let t = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
    t.tv_sec as f64 + t.tv_nsec as f64 * 1e-9
}

fn peak() -> String {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    status.lines().filter(|l| l.starts_with("VmHWM") || l.starts_with("VmRSS")).collect::<Vec<_>>().join(" ")
}

fn main() {
    let args: Vec<String> = std::env::args().collect();
    let start = cpu();
    let base = slope_grade::Base::open(&args[1], 1).unwrap();
    let grader = slope_grade::Grader::new(base, slope_grade::Pack::default());
    eprintln!("files {} index {:.2} s CPU {}", grader.base().file_count(), cpu() - start, peak());
    let input = std::io::BufReader::new(std::fs::File::open(&args[2]).unwrap());
    let mut out = std::io::BufWriter::new(std::fs::File::create(&args[3]).unwrap());
    let most: usize = args.get(4).map_or(usize::MAX, |n| n.parse().unwrap());
    let mut times = Vec::new();
    for line in input.lines().take(most) {
        let line = line.unwrap();
        let mut grade = Vec::new();
        let start = cpu();
        slope_grade::stream::grade_lines(&grader, line.as_bytes(), &mut grade).unwrap();
        times.push((cpu() - start) * 1e3);
        out.write_all(&grade).unwrap();
    }
    if std::env::var_os("EACH").is_some() {
        for (n, t) in times.iter().enumerate() { if *t > 50.0 { eprintln!("{n} {t:.1}"); } }
    }
    times.sort_by(f64::total_cmp);
    let at = |q: f64| times[((times.len() - 1) as f64 * q) as usize];
    let sum: f64 = times.iter().sum();
    eprintln!("n {} p50 {:.2} p95 {:.2} p99 {:.2} max {:.2} ms, {:.1}/s {}", times.len(), at(0.5), at(0.95), at(0.99), at(1.0), times.len() as f64 / sum * 1e3, peak());
}
