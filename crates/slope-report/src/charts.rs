//! Charts as SVG, drawn by `charts-rs` and adapted to the page.
//!
//! The crate draws in fixed colours and prints axis labels with one decimal. So it gets
//! placeholders, which are replaced afterwards: colours that stand for the page's CSS variables,
//! and `⟦…⟧` in place of labels and tooltips. That gives light and dark from one drawing, exact
//! labels, and keeps foreign text away from the crate.

use charts_rs::{
    AxisType, ChartBase, Color, LineChart, Series, Symbol, TooltipConfig, YAxisConfig,
};
use jiff::Timestamp;

use crate::format::{self, Kind};

/// Size of the drawing; the page scales it.
const WIDTH: f32 = 440.0;
const HEIGHT: f32 = 230.0;

/// Number of colours in the page's palette; after that they repeat with another shape.
pub(crate) const PALETTE: usize = 6;

/// The colour of lines that join the marks of several authors, after those of the palette.
pub(crate) const NEUTRAL: usize = PALETTE;

/// Colours that mean a variable of the page's style sheet.
pub(crate) mod mark {
    pub(crate) const TEXT: (u8, u8, u8) = (1, 2, 3);
    pub(crate) const AXIS: (u8, u8, u8) = (1, 2, 4);
    pub(crate) const GRID: (u8, u8, u8) = (1, 2, 5);
    pub(crate) const BAND: (u8, u8, u8) = (1, 2, 6);

    /// The colour of series `i`.
    pub(crate) fn series(i: usize) -> (u8, u8, u8) {
        (1, 3, u8::try_from(i).unwrap_or(u8::MAX))
    }
}

/// Distinction of lines: by colour, and by the shape of their points, which also works in print and
/// for readers who do not see the colours.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Look {
    /// Number in the page's palette.
    pub(crate) color: usize,
    /// Number of the shape.
    pub(crate) shape: usize,
}

impl Look {
    /// The shape as a character, for legends.
    pub(crate) fn glyph(self) -> char {
        ['●', '■', '▲', '◆'].get(self.shape).copied().unwrap_or('●')
    }
}

pub(crate) fn symbol(look: Look, color: Color) -> Symbol {
    match look.shape {
        0 => Symbol::Circle(3.5, Some(color)),
        1 => Symbol::Rect(3.2, Some(color)),
        2 => Symbol::Triangle(4.4, Some(color)),
        _ => Symbol::Diamond(4.4, Some(color)),
    }
}

/// Applies the settings common to all charts.
pub(crate) fn dress(base: &mut ChartBase) {
    base.width = WIDTH;
    base.height = HEIGHT;
    base.margin = (18.0, 10.0, 4.0, 4.0).into();
    base.background_color = Color::transparent();
    base.legend.show = Some(false);
    base.grid.stroke_color = mark::GRID.into();
    base.x_axis.stroke_color = mark::AXIS.into();
    base.x_axis.font.color = mark::TEXT.into();
    base.x_axis.font.size = 12.0;
    base.x_axis.name_gap = 7.0;
    base.x_axis.height = 32.0;
    // A tooltip is the series' name, a colon and the label: together a mark.
    base.series.label.formatter = "{b}⟧".to_owned();
    base.series.label.font.color = mark::TEXT.into();
    base.tooltip = TooltipConfig {
        show: true,
        ..TooltipConfig::default()
    };
    base.tooltip.font.size = 12.0;
    base.tooltip.font.color = mark::TEXT.into();
}

/// Draws lines and marks.
pub(crate) fn draw(
    series: Vec<Series>,
    axis: &Axis,
    kind: Kind,
    positions: AxisType,
) -> Result<String, charts_rs::Error> {
    let mut chart = line_chart(series, Vec::new(), axis, kind);
    chart.base.x_axis.kind = positions;
    chart.svg()
}

/// Draws lines over named positions.
pub(crate) fn draw_over(
    series: Vec<Series>,
    axis: &Axis,
    kind: Kind,
    positions: Vec<String>,
) -> Result<String, charts_rs::Error> {
    line_chart(series, positions, axis, kind).svg()
}

fn line_chart(series: Vec<Series>, positions: Vec<String>, axis: &Axis, kind: Kind) -> LineChart {
    let mut chart = LineChart::new_with_theme(series, positions, "light");
    let palette = (0..PALETTE).map(mark::series);
    chart.base.series.colors = palette.chain([mark::AXIS]).map(Color::from).collect();
    chart.base.series.stroke_width = 2.0;
    chart.y_axis_configs = vec![axis.config(kind)];
    dress(&mut chart.base);
    chart
}

/// A value axis from 0 in equal steps. The drawing's unit is the step, so that the labels of the
/// ticks are integers.
pub(crate) struct Axis {
    step: f64,
    steps: usize,
}

impl Axis {
    pub(crate) fn up_to(largest: f64, whole: bool) -> Self {
        if largest <= 0.0 {
            // All values are 0, the best there is; they still deserve an axis.
            return Self {
                step: 1.0,
                steps: 1,
            };
        }
        let rough = largest / 4.0;
        let power = 10f64.powf(rough.log10().floor());
        let step = [1.0, 2.0, 2.5, 5.0, 10.0]
            .into_iter()
            .map(|factor| factor * power)
            .find(|step| *step >= rough * 0.999 && (!whole || step.fract() == 0.0))
            .unwrap_or(10.0 * power);
        let step = if whole { step.max(1.0) } else { step };
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "between 1 and 5 by the choice of the step"
        )]
        let steps = (largest / step * 0.999).ceil().clamp(1.0, 10.0) as usize;
        Self { step, steps }
    }

    /// The value at the top of the drawing.
    pub(crate) fn top(&self) -> f64 {
        f64::from(u32::try_from(self.steps).unwrap_or(u32::MAX)) * self.step
    }

    #[expect(clippy::cast_possible_truncation, reason = "a position on the drawing")]
    pub(crate) fn scaled(&self, value: f64) -> f32 {
        (value / self.step) as f32
    }

    /// The label of tick `i`, with enough decimals to distinguish the steps.
    fn label(&self, i: usize, kind: Kind) -> String {
        let decimals = match kind {
            Kind::Count => 0,
            _ => (0..6).find(|d| exact(self.step, *d)).unwrap_or(6),
        };
        let i = u32::try_from(i).unwrap_or(0);
        format::number(f64::from(i) * self.step, decimals)
    }

    pub(crate) fn config(&self, kind: Kind) -> YAxisConfig {
        let longest = (0..=self.steps)
            .map(|i| self.label(i, kind).len())
            .max()
            .unwrap_or(1);
        let mut config = YAxisConfig::default();
        config.font.color = mark::TEXT.into();
        config.font.size = 12.0;
        config.stroke_color = Color::transparent();
        #[expect(clippy::cast_precision_loss, reason = "a dozen characters at most")]
        let width = longest as f32 * 7.4 + 8.0;
        config.width = Some(width);
        config.split_number = self.steps;
        config.min = Some(0.0);
        #[expect(clippy::cast_precision_loss, reason = "ten steps at most")]
        let max = self.steps as f32;
        config.max = Some(max);
        config.name_gap = 6.0;
        config.formatter = Some("⟦{c}⟧".to_owned());
        config
    }
}

/// Whether `value` is itself with `decimals` digits after the point.
fn exact(value: f64, decimals: usize) -> bool {
    let power = 10f64.powi(i32::try_from(decimals).unwrap_or(0));
    ((value * power).round() / power - value).abs() <= value.abs() * 1e-9
}

/// At most `most` items, spread evenly, with both ends and those that must stay. Each has its index.
pub(crate) fn thinned<T>(
    items: Vec<T>,
    most: usize,
    must_stay: impl Fn(usize) -> bool,
) -> Vec<(usize, T)> {
    let n = items.len();
    let indexed = items.into_iter().enumerate();
    if n <= most {
        return indexed.collect();
    }
    let mut next = 0;
    let kept = indexed.filter(|(index, _)| {
        let is_next = *index == next * (n - 1) / (most - 1);
        next += usize::from(is_next);
        is_next || must_stay(*index)
    });
    kept.collect()
}

/// A time as an axis of times writes it, without trailing zeros.
pub(crate) fn time_label(seconds: f64) -> String {
    #[expect(clippy::cast_possible_truncation, reason = "whole seconds of a date")]
    let time = Timestamp::from_second(seconds as i64).unwrap_or_default();
    let text = time.to_string().replace('T', " ").replace('Z', "");
    let text = text.strip_suffix(":00").unwrap_or(&text).to_owned();
    text.strip_suffix(" 00:00").unwrap_or(&text).to_owned()
}

/// Replaces the placeholders, and gives the drawing a name for screen readers.
pub(crate) fn finish(
    svg: &str,
    axis: &Axis,
    kind: Kind,
    title: &str,
    description: &str,
    tip: &dyn Fn(usize, &str) -> Option<String>,
) -> String {
    let mut out = String::with_capacity(svg.len() + 512);
    let body = svg.split_once('>').map_or("", |(_, body)| body);
    let body = band_first(without_data(body));
    out.push_str(&format!(
        "<svg class=\"chart\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" role=\"img\">\
         <title>{}</title><desc>{}</desc>",
        escape(title),
        escape(description)
    ));
    // The grid's lines start at the left edge of the plot.
    let plot = body
        .split_once("<line x1=\"")
        .and_then(|(_, after)| after.split_once('"'));
    let plot: Option<f32> = plot.and_then(|(x, _)| x.parse().ok());
    let mut rest = body.as_str();
    while let Some((before, after)) = rest.split_once('⟦') {
        out.push_str(before);
        let Some((inside, after)) = after.split_once('⟧') else {
            break;
        };
        if let (None, Some(plot)) = (inside.split_once(':'), plot) {
            align_right(&mut out, plot - 7.0);
        }
        out.push_str(&escape(&replaced(inside, axis, kind, tip)));
        rest = after;
    }
    out.push_str(rest);
    colored(&without_empty_tips(&out))
}

/// Removes the triggers of empty tips.
fn without_empty_tips(svg: &str) -> String {
    const EMPTY: &str = "class=\"ct-trigger\">\n<title></title>\n</circle>";
    const TIP_END: &str = "</text>";
    let mut out = String::with_capacity(svg.len());
    let mut rest = svg;
    while let Some((before, after)) = rest.split_once(EMPTY) {
        let start = before.rfind("<circle ").unwrap_or(before.len());
        out.push_str(&before[..start]);
        // The tip follows its circle.
        rest = after.split_once(TIP_END).map_or("", |(_, rest)| rest);
    }
    out.push_str(rest);
    out
}

/// Moves the band behind everything else: the crate draws it over lines and marks.
fn band_first(svg: String) -> String {
    let color = Color::from(mark::BAND).hex();
    let place = || {
        let at = svg.find(&color)?;
        let start = svg[..at].rfind('<')?;
        let end = at + svg[at..].find("/>")? + 2;
        Some((start, end))
    };
    match place() {
        Some((start, end)) => [&svg[start..end], &svg[..start], &svg[end..]].concat(),
        None => svg,
    }
}

/// Makes the text element at the end of `out` end at `x`: a tick's label was placed by the width of
/// its placeholder.
fn align_right(out: &mut String, x: f32) {
    let Some(text) = out.rfind("<text ") else {
        return;
    };
    let Some(from) = out[text..].find(" x=\"").map(|at| text + at) else {
        return;
    };
    let Some(to) = out[from + 4..].find('"').map(|at| from + 4 + at + 1) else {
        return;
    };
    out.replace_range(from..to, &format!(" text-anchor=\"end\" x=\"{x:.1}\""));
}

/// Removes attributes that repeat the drawing's own units (`data-…`) and its style, which the
/// page's style sheet contains once.
fn without_data(svg: &str) -> String {
    let mut out = String::with_capacity(svg.len());
    let mut rest = svg;
    while let Some((before, after)) = rest.split_once(" data-") {
        out.push_str(before);
        rest = after.splitn(3, '"').nth(2).unwrap_or("");
    }
    out.push_str(rest);
    match (out.find("<style>"), out.find("</style>")) {
        (Some(from), Some(to)) if from < to => out.replace_range(from..to + "</style>".len(), ""),
        _ => {}
    }
    out
}

fn replaced(
    inside: &str,
    axis: &Axis,
    kind: Kind,
    tip: &dyn Fn(usize, &str) -> Option<String>,
) -> String {
    match inside.split_once(':') {
        Some((series, position)) => {
            let series = series.trim().parse().ok();
            let tip = series.and_then(|series| tip(series, position.trim()));
            tip.unwrap_or_default()
        }
        None => inside
            .parse()
            .map_or_else(|_| String::new(), |tick| axis.label(tick, kind)),
    }
}

/// Colours to variables, and the page's own font.
fn colored(svg: &str) -> String {
    let mut out = svg.replace(" font-family=\"Roboto\"", "");
    let names = [
        (mark::TEXT, "chart-text"),
        (mark::AXIS, "chart-axis"),
        (mark::GRID, "chart-grid"),
        (mark::BAND, "chart-band"),
    ];
    for (color, name) in names {
        out = out.replace(&Color::from(color).hex(), &format!("var(--{name})"));
    }
    for i in 0..PALETTE {
        out = out.replace(&Color::from(mark::series(i)).hex(), &format!("var(--s{i})"));
    }
    out
}

/// `text` as content or attribute of XML.
fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            _ => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(largest: f64, kind: Kind) -> Vec<String> {
        let axis = Axis::up_to(largest, kind == Kind::Count);
        (0..=axis.steps).map(|i| axis.label(i, kind)).collect()
    }

    #[test]
    fn axis_ticks_are_round_and_distinct() {
        assert_eq!(
            labels(0.379, Kind::Ratio),
            ["0.0", "0.1", "0.2", "0.3", "0.4"]
        );
        assert_eq!(
            labels(0.0984, Kind::Cost),
            ["0.000", "0.025", "0.050", "0.075", "0.100"]
        );
        assert_eq!(
            labels(53_200.0, Kind::Count),
            ["0", "20,000", "40,000", "60,000"]
        );
        assert_eq!(labels(3.0, Kind::Count), ["0", "1", "2", "3"]);
        assert_eq!(labels(0.0, Kind::Count), ["0", "1"]);
        for largest in [1e-9, 1.0, 7.0, 9.99, 10.0, 1e12] {
            let axis = Axis::up_to(largest, false);
            let top = f64::from(u32::try_from(axis.steps).unwrap()) * axis.step;
            assert!(
                top >= largest * 0.999 && axis.steps <= 5,
                "{largest}: {top}"
            );
        }
    }

    #[test]
    fn empty_tips_are_left_out() {
        let dot = |tip: &str| {
            format!(
                "<circle cx=\"1\" class=\"ct-trigger\">\n<title>{tip}</title>\n</circle>\n<text>\n{tip}\n</text>"
            )
        };
        let svg = format!("<path/>{}{}{}<line/>", dot(""), dot("a"), dot(""));
        assert_eq!(
            without_empty_tips(&svg),
            format!("<path/>{}<line/>", dot("a"))
        );
    }

    #[test]
    fn band_is_behind_lines() {
        let color = Color::from(mark::BAND).hex();
        let svg = format!("<path d=\"M0\"/><rect x=\"1\" fill=\"{color}\"/><text>1</text>");
        let expected = format!("<rect x=\"1\" fill=\"{color}\"/><path d=\"M0\"/><text>1</text>");
        assert_eq!(band_first(svg), expected);
        assert_eq!(band_first("<path/>".to_owned()), "<path/>");
    }

    #[test]
    fn time_labels_match_the_chart() {
        assert_eq!(time_label(0.0), "1970-01-01");
        assert_eq!(time_label(3_600.0), "1970-01-01 01:00");
        assert_eq!(time_label(3_661.0), "1970-01-01 01:01:01");
    }

    #[test]
    fn thinning_keeps_ends_and_marked_items() {
        let kept = thinned((0..1000).collect(), 120, |at| at == 501);
        assert_eq!(kept.first(), Some(&(0, 0)));
        assert_eq!(kept.last(), Some(&(999, 999)));
        assert!(kept.contains(&(501, 501)) && kept.len() <= 121);
        assert_eq!(thinned(vec!['a'], 2, |_| false), [(0, 'a')]);
    }
}
