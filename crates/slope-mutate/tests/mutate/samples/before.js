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

exports.load = function (file) {
  return path.join(file);
};
