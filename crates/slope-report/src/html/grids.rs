//! Tables of reports in HTML.

use minijinja::{Environment, Value, context};

use crate::view::{Cell, Column, Grid, Row};

/// Adds the macro that writes a table.
pub(crate) fn add_template(env: &mut Environment<'_>) -> Result<(), minijinja::Error> {
    env.add_template("grid.html", include_str!("../../templates/grid.html"))
}

/// Tables of the page, numbered so that footnotes have addresses.
#[derive(Default)]
pub(crate) struct Grids {
    count: usize,
}

impl Grids {
    pub(crate) fn add(&mut self, grid: &Grid) -> Value {
        self.count += 1;
        let columns = grid.columns.iter();
        let row = |row: &Row| {
            let cells = row.cells.iter().zip(&grid.columns);
            context! {
                is_foot => row.is_foot,
                cells => cells.map(|(cell, column)| cell_value(cell, column)).collect::<Vec<_>>(),
            }
        };
        context! {
            id => self.count,
            columns => columns.map(column_value).collect::<Vec<_>>(),
            rows => grid.rows.iter().map(row).collect::<Vec<_>>(),
            notes => grid.notes.clone(),
        }
    }
}

fn column_value(column: &Column) -> Value {
    context! {
        title => column.title.clone(),
        unit => column.unit.clone(),
        is_text => column.is_text,
    }
}

fn cell_value(cell: &Cell, column: &Column) -> Value {
    context! {
        text => cell.text.clone(),
        tone => cell.tone.name(),
        is_text => column.is_text,
        note => cell.note,
    }
}
