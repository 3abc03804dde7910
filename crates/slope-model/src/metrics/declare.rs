//! The macros that the table of metrics is written with.

/// A field of the totals: a number, or one that may be missing.
pub(super) trait Field {
    /// Whether the field always has a value.
    const IS_PLAIN: bool;
    /// The value; `None` if missing.
    fn number(&self) -> Option<f64>;
    /// Makes the value missing if it can be.
    fn clear(&mut self);
}

impl Field for u32 {
    const IS_PLAIN: bool = true;

    fn number(&self) -> Option<f64> {
        Some(f64::from(*self))
    }

    fn clear(&mut self) {}
}

impl Field for u64 {
    const IS_PLAIN: bool = true;

    #[expect(
        clippy::cast_precision_loss,
        reason = "counts of lines are far below 2^53"
    )]
    fn number(&self) -> Option<f64> {
        Some(*self as f64)
    }

    fn clear(&mut self) {}
}

impl Field for f64 {
    const IS_PLAIN: bool = true;

    fn number(&self) -> Option<f64> {
        Some(*self)
    }

    fn clear(&mut self) {}
}

impl<T: Field> Field for Option<T> {
    const IS_PLAIN: bool = false;

    fn number(&self) -> Option<f64> {
        self.as_ref().and_then(Field::number)
    }

    fn clear(&mut self) {
        *self = None;
    }
}

/// Declares the struct `Totals` and a metric for each of its fields: the doc comment of a field is the definition
/// of its metric, the name of the field is its id.
macro_rules! totals {
    (
        $(#[$outer:meta])*
        pub struct Totals {
            $(
                $(#[doc = $definition:literal])+
                $(#[serde($serde:meta)])?
                $field:ident: $type:ty = $name:ident { $($row:tt)* }
            )+
        }
    ) => {
        $(#[$outer])*
        pub struct Totals {
            $(
                $(#[doc = $definition])+
                $(#[serde($serde)])?
                pub $field: $type,
            )+
            /// Metric name to the reason why it is missing.
            #[serde(default)]
            pub missing: std::collections::BTreeMap<String, String>,
        }

        $(
            $(#[doc = $definition])+
            pub static $name: Metric = Metric {
                id: stringify!($field),
                definition: concat!($($definition),+),
                source: Source::Field {
                    value: |totals| totals.$field.number(),
                    clear: |totals| totals.$field.clear(),
                    is_plain: <$type as Field>::IS_PLAIN,
                },
                $($row)*
                ..BLANK
            };
        )+

        /// The metrics that are fields of [`Totals`], in the order of the fields.
        pub static FIELDS: &[&Metric] = &[$(&$name),+];
    };
}

/// Declares metrics that are not fields of the totals.
macro_rules! others {
    ($( $(#[doc = $definition:literal])+ $name:ident { $($row:tt)* } )+) => {
        $(
            $(#[doc = $definition])+
            pub static $name: Metric = Metric {
                definition: concat!($($definition),+),
                $($row)*
                ..BLANK
            };
        )+

        /// The metrics that are not fields of [`Totals`].
        pub static OTHERS: &[&Metric] = &[$(&$name),+];
    };
}

pub(super) use {others, totals};
