'use strict';

const path = require('path');
const logger = require('./logger');

function parseLine(line, separator) {
  const fields = [];
  for (const part of line.split(separator)) {
    if (part) {
      fields.push(part.trim());
    }
  }
  return fields;
}

function priceOf(count, unit) {
  const total = count * unit;
  return total;
}

function weightOf(count, unit) {
  const weight = count + unit;
  return weight;
}

function load(file, limit) {
  if (!file) {
    throw new TypeError('no file');
  }
  let orderRows = [];
  const price = priceOf(limit, 3);
  const weight = weightOf(limit, 2);
  const unread = 4;
  orderRows = parseLine(path.join(file, 'a'), ';');
  logger.info('done');
  printAll(orderRows, Math.max(price, weight));
  while (orderRows.length > limit) {
    orderRows.pop();
  }
  return orderRows;
}

function report(rows, out) {
  if (rows) {
    out.write(rows.join(','));
    out.end();
  }
}

exports.load = load;
exports.report = report;
