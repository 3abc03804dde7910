package main

import (
	"bytes"
	"errors"
	"fmt"
)

// Reading is what was found in a log.
type Reading struct {
	changes []Change
	last    int // sequence number
	fault   *LogFault
}

// LogFault is the end of what is sound.
type LogFault struct {
	line    int  // number of the first line that is not sound
	damaged bool // a line after it is framed; otherwise it begins a torn tail
	sound   int  // bytes before it
	excess  int  // bytes from it on
}

func (f *LogFault) damage() error { return fmt.Errorf("%s is damaged at line %d", logName, f.line) }

// refuseDamage gives an error where there is more than a torn tail.
func (r *Reading) refuseDamage() error {
	if r.fault != nil && r.fault.damaged {
		return r.fault.damage()
	}
	return nil
}

// logReader goes through a log line by line.
type logReader struct {
	data   []byte
	offset int
	line   int // number of the line at the offset
}

// next gives a line, whose line feed is there if it is complete.
func (r *logReader) next() (line []byte, complete bool) {
	rest := r.data[r.offset:]
	end := bytes.IndexByte(rest, '\n')
	if end < 0 {
		r.offset = len(r.data)
		return rest, false
	}
	r.offset += end + 1
	r.line++
	return rest[:end], true
}

func (r *logReader) atEnd() bool { return r.offset >= len(r.data) }

// nextPayload gives the payload of a line, if it is framed.
func (r *logReader) nextPayload() (string, bool) {
	line, complete := r.next()
	if !complete {
		return "", false
	}
	return unframe(line)
}

// framedLineFollows tells whether any of the lines that are left is framed.
func (r *logReader) framedLineFollows() bool {
	for !r.atEnd() {
		if _, ok := r.nextPayload(); ok {
			return true
		}
	}
	return false
}

func readLog(data []byte) (*Reading, error) {
	if !bytes.HasPrefix(data, []byte(logHeader)) {
		return nil, errors.New(logName + " has no header")
	}
	reader := &logReader{data: data, offset: len(logHeader), line: 2}
	reading := &Reading{}
	for !reader.atEnd() {
		start, line := reader.offset, reader.line
		if !reading.take(reader) {
			reading.fault = &LogFault{
				line:    line,
				damaged: reader.framedLineFollows(),
				sound:   start,
				excess:  len(data) - start,
			}
			break
		}
	}
	return reading, nil
}

// take reads an entry, and tells whether it is sound.
func (r *Reading) take(reader *logReader) bool {
	payload, ok := reader.nextPayload()
	if !ok {
		return false
	}
	change, ok := parseChange(payload)
	if !ok || change.sequence != r.last+1 {
		return false
	}
	r.changes = append(r.changes, change)
	r.last = change.sequence
	return true
}
