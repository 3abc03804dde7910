#!/usr/bin/env python3
"""
Vault - a record store for herbarium specimens.

This module implements the command line interface and the storage.
"""
import json
import os
import re
import sys
import zlib


class VaultError(Exception):
    """Custom exception for vault errors."""
    pass


class UsageError(Exception):
    """Custom exception for usage errors."""
    pass


def is_valid_key(key):
    """Check if the key is valid."""
    if key is None:
        return False
    if len(key) < 1:
        return False
    if len(key) > 64:
        return False
    if re.match(r'^[A-Za-z0-9][A-Za-z0-9._/\-]*\Z', key):
        return True
    else:
        return False


def is_valid_prefix(prefix):
    """Check if the prefix is valid."""
    if prefix is None:
        return False
    if len(prefix) < 1:
        return False
    if len(prefix) > 64:
        return False
    if re.match(r'^[A-Za-z0-9._/\-]*\Z', prefix):
        return True
    else:
        return False


def is_valid_value(value):
    """Check if the value is valid."""
    if value is None:
        return False
    data = value.encode('utf-8')
    if len(data) == 0 or len(data) > 200:
        return False
    for ch in value:
        if ord(ch) < 32 or ord(ch) == 127:
            return False
    return True


def is_valid_limit(text):
    """Check if the limit is valid."""
    if text is None:
        return False
    if re.match(r'^[1-9][0-9]{0,5}\Z', text):
        return True
    else:
        return False


def is_valid_mark(text):
    """Check if the mark is valid."""
    if text is None:
        return False
    if re.match(r'^[a-z0-9-]{1,32}\Z', text):
        return True
    else:
        return False


def is_valid_path(text):
    """Check if the path is valid."""
    if text is None:
        return False
    names = text.split('.')
    if len(names) < 1 or len(names) > 4:
        return False
    for name in names:
        if not re.match(r'^[A-Za-z0-9_]{1,32}\Z', name):
            return False
    return True


def bad_constant(name):
    """Refuse constants that are not JSON."""
    raise ValueError(name)


class JsonInt(str):
    """An integer as it was written."""
    pass


def get_term(value, path):
    """Get the term of a value, or None."""
    try:
        current = json.loads(value, parse_int=JsonInt, parse_constant=bad_constant)
    except Exception:
        return None
    for name in path.split('.'):
        if not isinstance(current, dict):
            return None
        if name not in current:
            return None
        current = current[name]
    if isinstance(current, str):
        return str(current)
    else:
        return None


def get_store_path(directory):
    """Get the path of the store file."""
    return os.path.join(directory, 'store.json')


def load_store(directory):
    """Load the store from disk."""
    path = get_store_path(directory)
    # Check if the file exists
    if not os.path.exists(path):
        return {}
    with open(path, 'r', encoding='utf-8') as f:
        data = json.load(f)
    return data


def save_store(directory, data):
    """Save the store to disk."""
    # Create the directory if it does not exist
    if not os.path.exists(directory):
        os.makedirs(directory)
    path = get_store_path(directory)
    with open(path, 'w', encoding='utf-8') as f:
        json.dump(data, f)


def get_log_path(directory):
    """Get the path of the log file."""
    return os.path.join(directory, 'vault.log')


def is_log(directory):
    """Check if the directory is in log form."""
    if os.path.exists(get_log_path(directory)):
        return True
    else:
        return False


def crc_text(data):
    """Get the CRC as text."""
    return '%08x' % (zlib.crc32(data) & 0xffffffff)


def make_log_line(payload):
    """Make a log line."""
    data = payload.encode('utf-8')
    return str(len(data)).encode('utf-8') + b' ' + crc_text(data).encode('utf-8') + b' ' + data + b'\n'


def is_framed(line):
    """Check if the line is framed."""
    if not line.endswith(b'\n'):
        return False
    parts = line[:-1].split(b' ', 2)
    if len(parts) != 3:
        return False
    if not re.match(rb'^[1-9][0-9]*\Z', parts[0]):
        return False
    if not re.match(rb'^[0-9a-f]{8}\Z', parts[1]):
        return False
    if int(parts[0]) != len(parts[2]):
        return False
    if crc_text(parts[2]) != parts[1].decode('utf-8'):
        return False
    return True


def parse_payload(line):
    """Parse the payload of a line. Returns None if it is not valid."""
    try:
        payload = line[:-1].split(b' ', 2)[2].decode('utf-8')
    except Exception:
        return None
    if re.match(r'^[1-9][0-9]* base\Z', payload):
        return (int(payload.split(' ')[0]), 'base', None, None)
    parts = payload.split(' ', 3)
    if len(parts) < 3:
        return None
    if not re.match(r'^[1-9][0-9]*\Z', parts[0]):
        return None
    if parts[1] == 'put':
        if len(parts) != 4:
            return None
        if not is_valid_key(parts[2]):
            return None
        if not is_valid_value(parts[3]):
            return None
        return (int(parts[0]), 'put', parts[2], parts[3])
    elif parts[1] == 'del':
        if len(parts) != 3:
            return None
        if not is_valid_key(parts[2]):
            return None
        return (int(parts[0]), 'del', parts[2], None)
    elif parts[1] == 'group':
        if len(parts) != 3:
            return None
        if not re.match(r'^[1-9][0-9]*\Z', parts[2]):
            return None
        if int(parts[2]) < 2:
            return None
        return (int(parts[0]), 'group', int(parts[2]), None)
    elif parts[1] == 'mark' or parts[1] == 'unmark':
        if len(parts) != 3:
            return None
        if not is_valid_mark(parts[2]):
            return None
        return (int(parts[0]), parts[1], parts[2], None)
    elif parts[1] == 'index' or parts[1] == 'unindex':
        if len(parts) != 3:
            return None
        if not is_valid_path(parts[2]):
            return None
        return (int(parts[0]), parts[1], parts[2], None)
    else:
        return None


def is_next_number(number, last, base):
    """Check if the number may come next."""
    if last < base:
        if number > last and number <= base:
            return True
        if number == base + 1:
            return True
        return False
    if number == last + 1:
        return True
    else:
        return False


def read_log_lines(directory):
    """Read the lines of the log."""
    with open(get_log_path(directory), 'rb') as f:
        content = f.read()
    lines = []
    start = 0
    while start < len(content):
        end = content.find(b'\n', start)
        if end == -1:
            lines.append(content[start:])
            break
        lines.append(content[start:end + 1])
        start = end + 1
    return lines


def load_log(directory):
    """Load the log from disk. Returns the data, the last sequence number and the changes."""
    lines = read_log_lines(directory)
    if len(lines) == 0 or lines[0] != b'vault-log 1\n':
        raise VaultError('vault.log has no header')
    data = {}
    changes = []
    last = 0
    base = 0
    marks = {}
    indexes = {}
    good_bytes = len(lines[0])
    i = 1
    while i < len(lines):
        line = lines[i]
        entry = None
        if is_framed(line):
            entry = parse_payload(line)
        # Check the entries of a group
        bad = i
        members = []
        if entry is not None and entry[1] == 'base' and i == 1:
            base = entry[0]
            good_bytes = good_bytes + len(line)
            i += 1
            continue
        if entry is not None and is_next_number(entry[0], last, base) and entry[1] == 'group':
            size = entry[2]
            previous_key = ''
            j = i + 1
            while j < i + 1 + size:
                member = None
                if j < len(lines) and is_framed(lines[j]):
                    member = parse_payload(lines[j])
                if member is None or member[0] != entry[0] or member[1] not in ('put', 'del') or member[2] <= previous_key:
                    bad = j
                    entry = None
                    break
                previous_key = member[2]
                members.append(member)
                j += 1
        if entry is None or entry[1] == 'base' or not is_next_number(entry[0], last, base):
            # Check if there is a framed line after this one
            for later in lines[bad + 1:]:
                if is_framed(later):
                    raise VaultError('vault.log is damaged at line ' + str(i + 1))
            dropped = 0
            for later in lines[i:]:
                dropped = dropped + len(later)
            # Cut the torn tail
            with open(get_log_path(directory), 'r+b') as f:
                f.truncate(good_bytes)
            print('recovered: dropped ' + str(dropped) + ' bytes', file=sys.stderr)
            break
        if entry[1] == 'group':
            for member in members:
                if member[1] == 'put':
                    data[member[2]] = member[3]
                else:
                    if member[2] in data:
                        del data[member[2]]
                changes.append(member)
                good_bytes = good_bytes + len(lines[i + 1])
                i += 1
        elif entry[1] == 'mark':
            marks[entry[2]] = entry[0]
        elif entry[1] == 'unmark':
            if entry[2] in marks:
                del marks[entry[2]]
        elif entry[1] == 'index':
            indexes[entry[2]] = entry[0]
        elif entry[1] == 'unindex':
            if entry[2] in indexes:
                del indexes[entry[2]]
        else:
            if entry[1] == 'put':
                data[entry[2]] = entry[3]
            else:
                if entry[2] in data:
                    del data[entry[2]]
            changes.append(entry)
        last = entry[0]
        good_bytes = good_bytes + len(line)
        i += 1
    if last < base:
        last = base
    STATE['base'] = base
    STATE['marks'] = marks
    STATE['indexes'] = indexes
    STATE['terms'] = {}
    return data, last, changes


def verify_log(directory):
    """Verify the log."""
    if not is_log(directory):
        raise VaultError('not a log')
    lines = read_log_lines(directory)
    if len(lines) == 0 or lines[0] != b'vault-log 1\n':
        raise VaultError('vault.log has no header')
    last = 0
    base = 0
    number = 0
    i = 1
    while i < len(lines):
        line = lines[i]
        entry = None
        if is_framed(line):
            entry = parse_payload(line)
        # Check the entries of a group
        bad = i
        members = []
        if entry is not None and entry[1] == 'base' and i == 1:
            base = entry[0]
            i += 1
            continue
        if entry is not None and is_next_number(entry[0], last, base) and entry[1] == 'group':
            size = entry[2]
            previous_key = ''
            j = i + 1
            while j < i + 1 + size:
                member = None
                if j < len(lines) and is_framed(lines[j]):
                    member = parse_payload(lines[j])
                if member is None or member[0] != entry[0] or member[1] not in ('put', 'del') or member[2] <= previous_key:
                    bad = j
                    entry = None
                    break
                previous_key = member[2]
                members.append(member)
                j += 1
        if entry is None or entry[1] == 'base' or not is_next_number(entry[0], last, base):
            # Check if there is a framed line after this one
            for later in lines[bad + 1:]:
                if is_framed(later):
                    raise VaultError('vault.log is damaged at line ' + str(i + 1))
            dropped = 0
            for later in lines[i:]:
                dropped = dropped + len(later)
            raise VaultError('torn tail at line ' + str(i + 1) + ': ' + str(dropped) + ' bytes')
        last = entry[0]
        if entry[1] == 'group':
            number = number + len(members)
            i += len(members)
        elif entry[1] == 'put' or entry[1] == 'del':
            number = number + 1
        i += 1
    if last < base:
        last = base
    return 'sound: ' + str(number) + ' records, last ' + str(last)


def repair_log(directory):
    """Repair the log."""
    if not is_log(directory):
        raise VaultError('not a log')
    lines = read_log_lines(directory)
    if len(lines) == 0 or lines[0] != b'vault-log 1\n':
        raise VaultError('vault.log has no header')
    last = 0
    base = 0
    kept = 0
    good_bytes = len(lines[0])
    i = 1
    while i < len(lines):
        line = lines[i]
        entry = None
        if is_framed(line):
            entry = parse_payload(line)
        # Check the entries of a group
        bad = i
        members = []
        if entry is not None and entry[1] == 'base' and i == 1:
            base = entry[0]
            good_bytes = good_bytes + len(line)
            i += 1
            continue
        if entry is not None and is_next_number(entry[0], last, base) and entry[1] == 'group':
            size = entry[2]
            previous_key = ''
            j = i + 1
            while j < i + 1 + size:
                member = None
                if j < len(lines) and is_framed(lines[j]):
                    member = parse_payload(lines[j])
                if member is None or member[0] != entry[0] or member[1] not in ('put', 'del') or member[2] <= previous_key:
                    bad = j
                    entry = None
                    break
                previous_key = member[2]
                members.append(member)
                j += 1
        if entry is None or entry[1] == 'base' or not is_next_number(entry[0], last, base):
            dropped = 0
            for later in lines[i:]:
                dropped = dropped + len(later)
            with open(get_log_path(directory), 'r+b') as f:
                f.truncate(good_bytes)
            return 'repaired: kept ' + str(kept) + ' records, dropped ' + str(dropped) + ' bytes'
        last = entry[0]
        if entry[1] == 'group':
            kept = kept + len(members)
            for member in members:
                good_bytes = good_bytes + len(lines[i + 1])
                i += 1
        elif entry[1] == 'put' or entry[1] == 'del':
            kept = kept + 1
        good_bytes = good_bytes + len(line)
        i += 1
    return 'nothing to repair'


def migrate_store(directory, data):
    """Migrate the store to a log."""
    if not os.path.exists(directory):
        os.makedirs(directory)
    content = b'vault-log 1\n'
    seq = 0
    for key in sorted(data.keys()):
        seq = seq + 1
        content = content + make_log_line(str(seq) + ' put ' + key + ' ' + data[key])
    with open(get_log_path(directory), 'wb') as f:
        f.write(content)
    # Remove the old file
    if os.path.exists(get_store_path(directory)):
        os.remove(get_store_path(directory))
    return seq


# State of the open store
STATE = {'data': None, 'last': 0, 'log': False, 'file': None, 'changes': [], 'base': 0, 'marks': {}, 'indexes': {}, 'terms': {}}


def open_state(directory):
    """Open the store if it is not open yet."""
    if STATE['data'] is not None:
        return STATE['data']
    if is_log(directory):
        data, last, changes = load_log(directory)
        STATE['data'] = data
        STATE['changes'] = changes
        STATE['last'] = last
        STATE['log'] = True
    else:
        STATE['data'] = load_store(directory)
        STATE['last'] = 0
        STATE['changes'] = []
        STATE['log'] = False
    return STATE['data']


def append_to_log(directory, payload):
    """Append a payload to the log."""
    if STATE['file'] is None:
        STATE['file'] = open(get_log_path(directory), 'ab')
    STATE['file'].write(make_log_line(payload))
    STATE['file'].flush()


def is_valid_version(text):
    """Check if the version is valid."""
    if text is None:
        return False
    if re.match(r'^(0|[1-9][0-9]{0,8})\Z', text):
        return True
    else:
        return False


def get_data_as_of(version):
    """Get the data as of a version."""
    result = {}
    for seq, kind, key, value in STATE['changes']:
        if seq > version:
            break
        if kind == 'put':
            result[key] = value
        else:
            if key in result:
                del result[key]
    return result


def get_value_as_of(key, version):
    """Get the value of a key as of a version, or None."""
    low = 0
    high = len(STATE['changes'])
    # Find the position of the version
    while low < high:
        mid = (low + high) // 2
        if STATE['changes'][mid][0] <= version:
            low = mid + 1
        else:
            high = mid
    i = low - 1
    while i >= 0:
        change = STATE['changes'][i]
        if change[2] == key:
            if change[1] == 'put':
                return change[3]
            else:
                return None
        i = i - 1
    return None


def check_compacted(version):
    """Check that the version is not compacted."""
    if version >= STATE['base']:
        return
    for name in STATE['marks']:
        if STATE['marks'][name] == version:
            return
    for session in SESSIONS:
        if SESSIONS[session]['begin'] == version:
            return
    raise VaultError('version ' + str(version) + ' is compacted')


def update_terms(key, value):
    """Update the terms of the indexes."""
    for path in STATE['terms']:
        term = get_term(value, path)
        if term is not None:
            if term not in STATE['terms'][path]:
                STATE['terms'][path][term] = set()
            STATE['terms'][path][term].add(key)


def get_candidates(path, term):
    """Get the keys that ever had the term."""
    if path not in STATE['terms']:
        # Build the index
        STATE['terms'][path] = {}
        for change in STATE['changes']:
            if change[1] == 'put':
                found = get_term(change[3], path)
                if found is not None:
                    if found not in STATE['terms'][path]:
                        STATE['terms'][path][found] = set()
                    STATE['terms'][path][found].add(change[2])
    if term in STATE['terms'][path]:
        return set(STATE['terms'][path][term])
    else:
        return set()


def compact_log(directory):
    """Compact the log."""
    # Collect the versions that are needed
    needed = [STATE['last']]
    for name in STATE['marks']:
        needed.append(STATE['marks'][name])
    for session in SESSIONS:
        needed.append(SESSIONS[session]['begin'])
    needed = sorted(set(needed))
    # Group the changes by key
    by_key = {}
    for change in STATE['changes']:
        if change[2] not in by_key:
            by_key[change[2]] = []
        by_key[change[2]].append(change)
    kept = []
    for key in by_key:
        kept_of_key = []
        for version in needed:
            newest = None
            for change in by_key[key]:
                if change[0] <= version:
                    newest = change
            if newest is not None and newest not in kept_of_key:
                kept_of_key.append(newest)
        # Drop the first delete
        if len(kept_of_key) > 0 and kept_of_key[0][1] == 'del' and len(SESSIONS) == 0:
            kept_of_key = kept_of_key[1:]
        for change in kept_of_key:
            kept.append(change)
    dropped = len(STATE['changes']) - len(kept)
    kept = sorted(kept, key=lambda c: (c[0], c[2]))
    # Collect everything by sequence number
    by_seq = {}
    for change in kept:
        if change[0] not in by_seq:
            by_seq[change[0]] = []
        if change[1] == 'put':
            by_seq[change[0]].append(str(change[0]) + ' put ' + change[2] + ' ' + change[3])
        else:
            by_seq[change[0]].append(str(change[0]) + ' del ' + change[2])
    for name in STATE['marks']:
        by_seq[STATE['marks'][name]] = [str(STATE['marks'][name]) + ' mark ' + name]
    for path in STATE['indexes']:
        by_seq[STATE['indexes'][path]] = [str(STATE['indexes'][path]) + ' index ' + path]
    parts = [b'vault-log 1\n']
    if STATE['last'] > 0:
        parts.append(make_log_line(str(STATE['last']) + ' base'))
    for seq in sorted(by_seq.keys()):
        if len(by_seq[seq]) > 1:
            parts.append(make_log_line(str(seq) + ' group ' + str(len(by_seq[seq]))))
        for payload in by_seq[seq]:
            parts.append(make_log_line(payload))
    # Close the old file
    if STATE['file'] is not None:
        STATE['file'].close()
        STATE['file'] = None
    with open(get_log_path(directory), 'wb') as f:
        f.write(b''.join(parts))
    STATE['changes'] = kept
    STATE['base'] = STATE['last']
    STATE['terms'] = {}
    return 'compacted: kept ' + str(len(kept)) + ' changes, dropped ' + str(dropped)


# The open transactions of the sessions
SESSIONS = {}


def get_session_data(session):
    """Get the data that a session sees in its transaction."""
    tx = SESSIONS[session]
    result = dict(tx['base'])
    for key in tx['writes']:
        if tx['writes'][key] is None:
            if key in result:
                del result[key]
        else:
            result[key] = tx['writes'][key]
    return result


def write_many(directory, writes):
    """Write several changes as one version."""
    data = STATE['data']
    STATE['last'] = STATE['last'] + 1
    seq = STATE['last']
    if STATE['file'] is None:
        STATE['file'] = open(get_log_path(directory), 'ab')
    content = b''
    if len(writes) > 1:
        content = content + make_log_line(str(seq) + ' group ' + str(len(writes)))
    for key in sorted(writes.keys()):
        value = writes[key]
        if value is None:
            content = content + make_log_line(str(seq) + ' del ' + key)
            STATE['changes'].append((seq, 'del', key, None))
            if key in data:
                del data[key]
        else:
            content = content + make_log_line(str(seq) + ' put ' + key + ' ' + value)
            STATE['changes'].append((seq, 'put', key, value))
            update_terms(key, value)
            data[key] = value
    STATE['file'].write(content)
    STATE['file'].flush()


def commit_session(directory, session):
    """Commit the transaction of a session."""
    if session not in SESSIONS:
        raise VaultError('not in a transaction')
    tx = SESSIONS[session]
    del SESSIONS[session]
    # Collect the net changes
    writes = {}
    for key in tx['writes']:
        if tx['writes'][key] is None:
            if key in tx['base']:
                writes[key] = None
        else:
            writes[key] = tx['writes'][key]
    if len(writes) == 0:
        return 'committed nothing'
    # Check for conflicts
    conflicts = []
    for change in STATE['changes']:
        if change[0] > tx['begin']:
            if change[2] in tx['named']:
                conflicts.append(change[2])
    if len(conflicts) > 0:
        raise VaultError('conflict on ' + sorted(conflicts)[0])
    write_many(directory, writes)
    return 'committed at ' + str(STATE['last'])


def check_directory(directory):
    """Check the directory."""
    if os.path.exists(directory):
        if not os.path.isdir(directory):
            raise VaultError(directory + ' is not a folder')


def parse_scan_args(args):
    """Parse the arguments of scan."""
    prefix = None
    start = None
    end = None
    limit = None
    reverse = False
    as_of = None
    i = 0
    while i < len(args):
        arg = args[i]
        if arg == '--prefix':
            if prefix is not None:
                raise UsageError('--prefix given twice')
            if i + 1 >= len(args):
                raise UsageError('--prefix needs a value')
            prefix = args[i + 1]
            i += 2
        elif arg == '--from':
            if start is not None:
                raise UsageError('--from given twice')
            if i + 1 >= len(args):
                raise UsageError('--from needs a value')
            start = args[i + 1]
            i += 2
        elif arg == '--to':
            if end is not None:
                raise UsageError('--to given twice')
            if i + 1 >= len(args):
                raise UsageError('--to needs a value')
            end = args[i + 1]
            i += 2
        elif arg == '--limit':
            if limit is not None:
                raise UsageError('--limit given twice')
            if i + 1 >= len(args):
                raise UsageError('--limit needs a value')
            limit = args[i + 1]
            i += 2
        elif arg == '--as-of':
            if as_of is not None:
                raise UsageError('--as-of given twice')
            if i + 1 >= len(args):
                raise UsageError('--as-of needs a value')
            as_of = args[i + 1]
            i += 2
        elif arg == '--reverse':
            if reverse:
                raise UsageError('--reverse given twice')
            reverse = True
            i += 1
        else:
            raise UsageError('unexpected argument ' + arg)
    return prefix, start, end, limit, reverse, as_of


def parse_count_args(args):
    """Parse the arguments of count."""
    prefix = None
    start = None
    end = None
    as_of = None
    i = 0
    while i < len(args):
        arg = args[i]
        if arg == '--prefix':
            if prefix is not None:
                raise UsageError('--prefix given twice')
            if i + 1 >= len(args):
                raise UsageError('--prefix needs a value')
            prefix = args[i + 1]
            i += 2
        elif arg == '--from':
            if start is not None:
                raise UsageError('--from given twice')
            if i + 1 >= len(args):
                raise UsageError('--from needs a value')
            start = args[i + 1]
            i += 2
        elif arg == '--to':
            if end is not None:
                raise UsageError('--to given twice')
            if i + 1 >= len(args):
                raise UsageError('--to needs a value')
            end = args[i + 1]
            i += 2
        elif arg == '--as-of':
            if as_of is not None:
                raise UsageError('--as-of given twice')
            if i + 1 >= len(args):
                raise UsageError('--as-of needs a value')
            as_of = args[i + 1]
            i += 2
        else:
            raise UsageError('unexpected argument ' + arg)
    return prefix, start, end, as_of


def execute_command(directory, command, args, output, session='main', in_batch=False):
    """Execute a command and append the output lines to output."""
    if command == 'put':
        if len(args) != 2:
            raise UsageError('put takes KEY VALUE')
        check_directory(directory)
        key = args[0]
        value = args[1]
        # Validate the key
        if not is_valid_key(key):
            raise VaultError("bad key '" + key + "'")
        # Validate the value
        if not is_valid_value(value):
            raise VaultError('bad value')
        data = open_state(directory)
        if session in SESSIONS:
            # Write into the transaction
            tx = SESSIONS[session]
            tx['named'].add(key)
            current = get_session_data(session)
            if key in current:
                tx['writes'][key] = value
                output.append('replaced ' + key)
            else:
                tx['writes'][key] = value
                output.append('stored ' + key)
            return
        if key in data:
            data[key] = value
            if STATE['log'] == True:
                STATE['last'] = STATE['last'] + 1
                append_to_log(directory, str(STATE['last']) + ' put ' + key + ' ' + value)
                STATE['changes'].append((STATE['last'], 'put', key, value))
                update_terms(key, value)
            else:
                save_store(directory, data)
            output.append('replaced ' + key)
        else:
            data[key] = value
            if STATE['log'] == True:
                STATE['last'] = STATE['last'] + 1
                append_to_log(directory, str(STATE['last']) + ' put ' + key + ' ' + value)
                STATE['changes'].append((STATE['last'], 'put', key, value))
                update_terms(key, value)
            else:
                save_store(directory, data)
            output.append('stored ' + key)
    elif command == 'get':
        key = None
        as_of = None
        i = 0
        while i < len(args):
            if args[i] == '--as-of':
                if as_of is not None:
                    raise UsageError('--as-of given twice')
                if i + 1 >= len(args):
                    raise UsageError('--as-of needs a value')
                as_of = args[i + 1]
                i += 2
            elif args[i].startswith('--'):
                raise UsageError('unknown option ' + args[i])
            else:
                if key is not None:
                    raise UsageError('get takes KEY')
                key = args[i]
                i += 1
        if key is None:
            raise UsageError('get takes KEY')
        check_directory(directory)
        # Validate the key
        if not is_valid_key(key):
            raise VaultError("bad key '" + key + "'")
        # Check the version
        if as_of is not None and not is_valid_version(as_of):
            raise VaultError("bad version '" + as_of + "'")
        if as_of is not None:
            if not is_log(directory):
                raise VaultError('not a log')
            open_state(directory)
            if int(as_of) > STATE['last']:
                raise VaultError('version ' + as_of + ' is in the future')
            check_compacted(int(as_of))
            value = get_value_as_of(key, int(as_of))
            if value is None:
                raise VaultError('no record ' + key)
            output.append(value)
            return
        data = open_state(directory)
        if session in SESSIONS:
            # Read from the transaction
            SESSIONS[session]['named'].add(key)
            data = get_session_data(session)
        if key not in data:
            raise VaultError('no record ' + key)
        output.append(data[key])
    elif command == 'delete':
        if len(args) != 1:
            raise UsageError('delete takes KEY')
        key = args[0]
        if key.startswith('--'):
            raise UsageError('unknown option ' + key)
        check_directory(directory)
        # Validate the key
        if not is_valid_key(key):
            raise VaultError("bad key '" + key + "'")
        data = open_state(directory)
        if session in SESSIONS:
            # Delete in the transaction
            tx = SESSIONS[session]
            tx['named'].add(key)
            current = get_session_data(session)
            if key not in current:
                raise VaultError('no record ' + key)
            tx['writes'][key] = None
            output.append('deleted ' + key)
            return
        if key not in data:
            raise VaultError('no record ' + key)
        del data[key]
        if STATE['log'] == True:
            STATE['last'] = STATE['last'] + 1
            append_to_log(directory, str(STATE['last']) + ' del ' + key)
            STATE['changes'].append((STATE['last'], 'del', key, None))
        else:
            save_store(directory, data)
        output.append('deleted ' + key)
    elif command == 'scan':
        prefix, start, end, limit, reverse, as_of = parse_scan_args(args)
        check_directory(directory)
        # Validate the options
        if prefix is not None and not is_valid_prefix(prefix):
            raise VaultError("bad prefix '" + prefix + "'")
        if start is not None and not is_valid_key(start):
            raise VaultError("bad key '" + start + "'")
        if end is not None and not is_valid_key(end):
            raise VaultError("bad key '" + end + "'")
        if start is not None and end is not None and start > end:
            raise VaultError('bad range')
        if limit is not None and not is_valid_limit(limit):
            raise VaultError("bad limit '" + limit + "'")
        # Check the version
        if as_of is not None and not is_valid_version(as_of):
            raise VaultError("bad version '" + as_of + "'")
        # Collect the matching records
        if as_of is not None:
            if not is_log(directory):
                raise VaultError('not a log')
            open_state(directory)
            if int(as_of) > STATE['last']:
                raise VaultError('version ' + as_of + ' is in the future')
            check_compacted(int(as_of))
            data = get_data_as_of(int(as_of))
        else:
            data = open_state(directory)
            if session in SESSIONS:
                data = get_session_data(session)
        results = []
        for key in sorted(data.keys()):
            if prefix is not None:
                if not key.startswith(prefix):
                    continue
            if start is not None:
                if key < start:
                    continue
            if end is not None:
                if key >= end:
                    continue
            results.append((key, data[key]))
        # Reverse the results if needed
        if reverse == True:
            results = list(reversed(results))
        # Apply the limit
        if limit is not None:
            results = results[:int(limit)]
        count = 0
        for key, value in results:
            output.append(key + '\t' + value)
            count = count + 1
        output.append('records: ' + str(count))
    elif command == 'count':
        prefix, start, end, as_of = parse_count_args(args)
        check_directory(directory)
        # Validate the options
        if prefix is not None and not is_valid_prefix(prefix):
            raise VaultError("bad prefix '" + prefix + "'")
        if start is not None and not is_valid_key(start):
            raise VaultError("bad key '" + start + "'")
        if end is not None and not is_valid_key(end):
            raise VaultError("bad key '" + end + "'")
        if start is not None and end is not None and start > end:
            raise VaultError('bad range')
        # Check the version
        if as_of is not None and not is_valid_version(as_of):
            raise VaultError("bad version '" + as_of + "'")
        # Count the matching records
        if as_of is not None:
            if not is_log(directory):
                raise VaultError('not a log')
            open_state(directory)
            if int(as_of) > STATE['last']:
                raise VaultError('version ' + as_of + ' is in the future')
            check_compacted(int(as_of))
            data = get_data_as_of(int(as_of))
        else:
            data = open_state(directory)
            if session in SESSIONS:
                data = get_session_data(session)
        count = 0
        for key in data.keys():
            if prefix is not None:
                if not key.startswith(prefix):
                    continue
            if start is not None:
                if key < start:
                    continue
            if end is not None:
                if key >= end:
                    continue
            count = count + 1
        output.append('records: ' + str(count))
    elif command == 'migrate':
        if len(args) != 0:
            raise UsageError('migrate takes no arguments')
        check_directory(directory)
        if is_log(directory):
            raise VaultError('already a log')
        data = open_state(directory)
        number = migrate_store(directory, data)
        # Reset the state so that the log is opened next time
        STATE['data'] = None
        STATE['file'] = None
        output.append('migrated ' + str(number) + ' records')
    elif command == 'verify':
        if len(args) != 0:
            raise UsageError('verify takes no arguments')
        check_directory(directory)
        output.append(verify_log(directory))
    elif command == 'repair':
        if len(args) != 0:
            raise UsageError('repair takes no arguments')
        check_directory(directory)
        output.append(repair_log(directory))
    elif command == 'version':
        if len(args) != 0:
            raise UsageError('version takes no arguments')
        check_directory(directory)
        if not is_log(directory):
            raise VaultError('not a log')
        open_state(directory)
        output.append('version ' + str(STATE['last']))
    elif command == 'history':
        key = None
        limit = None
        i = 0
        while i < len(args):
            if args[i] == '--limit':
                if limit is not None:
                    raise UsageError('--limit given twice')
                if i + 1 >= len(args):
                    raise UsageError('--limit needs a value')
                limit = args[i + 1]
                i += 2
            elif args[i].startswith('--'):
                raise UsageError('unknown option ' + args[i])
            else:
                if key is not None:
                    raise UsageError('history takes KEY')
                key = args[i]
                i += 1
        if key is None:
            raise UsageError('history takes KEY')
        check_directory(directory)
        # Validate the key
        if not is_valid_key(key):
            raise VaultError("bad key '" + key + "'")
        # Validate the limit
        if limit is not None and not is_valid_limit(limit):
            raise VaultError("bad limit '" + limit + "'")
        if not is_log(directory):
            raise VaultError('not a log')
        open_state(directory)
        # Collect the changes
        lines = []
        for change in STATE['changes']:
            if change[2] == key:
                if change[1] == 'put':
                    lines.append(str(change[0]) + ' put ' + change[3])
                else:
                    lines.append(str(change[0]) + ' del')
        if len(lines) == 0:
            raise VaultError('no record ' + key)
        if limit is not None:
            lines = lines[-int(limit):]
        for line in lines:
            output.append(line)
        output.append('versions: ' + str(len(lines)))
    elif command == 'diff':
        if len(args) != 2:
            raise UsageError('diff takes N M')
        if args[0].startswith('--') or args[1].startswith('--'):
            raise UsageError('diff takes no options')
        check_directory(directory)
        # Check the versions
        if not is_valid_version(args[0]):
            raise VaultError("bad version '" + args[0] + "'")
        if not is_valid_version(args[1]):
            raise VaultError("bad version '" + args[1] + "'")
        if not is_log(directory):
            raise VaultError('not a log')
        open_state(directory)
        if int(args[0]) > STATE['last']:
            raise VaultError('version ' + args[0] + ' is in the future')
        check_compacted(int(args[0]))
        if int(args[1]) > STATE['last']:
            raise VaultError('version ' + args[1] + ' is in the future')
        check_compacted(int(args[1]))
        old = get_data_as_of(int(args[0]))
        new = get_data_as_of(int(args[1]))
        count = 0
        # Compare the two versions
        for key in sorted(set(list(old.keys()) + list(new.keys()))):
            if key not in old:
                output.append('+ ' + key + '\t' + new[key])
                count = count + 1
            elif key not in new:
                output.append('- ' + key + '\t' + old[key])
                count = count + 1
            elif old[key] != new[key]:
                output.append('~ ' + key + '\t' + new[key])
                count = count + 1
        output.append('changes: ' + str(count))
    elif command == 'restore':
        if len(args) != 2:
            raise UsageError('restore takes KEY N')
        if args[0].startswith('--') or args[1].startswith('--'):
            raise UsageError('restore takes no options')
        check_directory(directory)
        key = args[0]
        # Validate the key
        if not is_valid_key(key):
            raise VaultError("bad key '" + key + "'")
        # Check the version
        if not is_valid_version(args[1]):
            raise VaultError("bad version '" + args[1] + "'")
        if not is_log(directory):
            raise VaultError('not a log')
        data = open_state(directory)
        if int(args[1]) > STATE['last']:
            raise VaultError('version ' + args[1] + ' is in the future')
        check_compacted(int(args[1]))
        value = get_value_as_of(key, int(args[1]))
        if value is None:
            raise VaultError('no record ' + key + ' at ' + args[1])
        if session in SESSIONS:
            # Restore in the transaction
            tx = SESSIONS[session]
            tx['named'].add(key)
            current = get_session_data(session)
            if key in current and current[key] == value:
                output.append('unchanged ' + key)
            else:
                tx['writes'][key] = value
                output.append('restored ' + key)
            return
        if key in data and data[key] == value:
            output.append('unchanged ' + key)
        else:
            data[key] = value
            STATE['last'] = STATE['last'] + 1
            append_to_log(directory, str(STATE['last']) + ' put ' + key + ' ' + value)
            STATE['changes'].append((STATE['last'], 'put', key, value))
            update_terms(key, value)
            output.append('restored ' + key)
    elif command == 'revert':
        if len(args) != 1:
            raise UsageError('revert takes N')
        if args[0].startswith('--'):
            raise UsageError('revert takes no options')
        check_directory(directory)
        # Check the version
        if not is_valid_version(args[0]):
            raise VaultError("bad version '" + args[0] + "'")
        if not is_log(directory):
            raise VaultError('not a log')
        data = open_state(directory)
        if int(args[0]) > STATE['last']:
            raise VaultError('version ' + args[0] + ' is in the future')
        check_compacted(int(args[0]))
        wanted = get_data_as_of(int(args[0]))
        if session in SESSIONS:
            current = get_session_data(session)
        else:
            current = data
        writes = {}
        # Compare the two versions
        for key in sorted(set(list(current.keys()) + list(wanted.keys()))):
            if key not in current:
                writes[key] = wanted[key]
            elif key not in wanted:
                writes[key] = None
            elif current[key] != wanted[key]:
                writes[key] = wanted[key]
        if len(writes) > 0:
            if session in SESSIONS:
                tx = SESSIONS[session]
                for key in writes:
                    tx['named'].add(key)
                    tx['writes'][key] = writes[key]
            else:
                write_many(directory, writes)
        output.append('reverted to ' + args[0] + ': ' + str(len(writes)) + ' changes')
    elif command == 'index':
        if len(args) != 1:
            raise UsageError('index takes one argument')
        if args[0].startswith('--'):
            raise UsageError('index takes no options')
        check_directory(directory)
        if not is_valid_path(args[0]):
            raise VaultError("bad path '" + args[0] + "'")
        if not is_log(directory):
            raise VaultError('not a log')
        open_state(directory)
        if args[0] in STATE['indexes']:
            raise VaultError('already indexed')
        STATE['last'] = STATE['last'] + 1
        append_to_log(directory, str(STATE['last']) + ' index ' + args[0])
        STATE['indexes'][args[0]] = STATE['last']
        output.append('indexed ' + args[0])
    elif command == 'unindex':
        if len(args) != 1:
            raise UsageError('unindex takes one argument')
        if args[0].startswith('--'):
            raise UsageError('unindex takes no options')
        check_directory(directory)
        if not is_valid_path(args[0]):
            raise VaultError("bad path '" + args[0] + "'")
        if not is_log(directory):
            raise VaultError('not a log')
        open_state(directory)
        if args[0] not in STATE['indexes']:
            raise VaultError('no index ' + args[0])
        STATE['last'] = STATE['last'] + 1
        append_to_log(directory, str(STATE['last']) + ' unindex ' + args[0])
        del STATE['indexes'][args[0]]
        output.append('unindexed ' + args[0])
    elif command == 'mark':
        if len(args) != 1:
            raise UsageError('mark takes one argument')
        if args[0].startswith('--'):
            raise UsageError('mark takes no options')
        check_directory(directory)
        if not is_valid_mark(args[0]):
            raise VaultError("bad mark '" + args[0] + "'")
        if not is_log(directory):
            raise VaultError('not a log')
        open_state(directory)
        if args[0] in STATE['marks']:
            raise VaultError('already marked')
        STATE['last'] = STATE['last'] + 1
        append_to_log(directory, str(STATE['last']) + ' mark ' + args[0])
        STATE['marks'][args[0]] = STATE['last']
        output.append('marked ' + args[0] + ' at ' + str(STATE['last']))
    elif command == 'unmark':
        if len(args) != 1:
            raise UsageError('unmark takes one argument')
        if args[0].startswith('--'):
            raise UsageError('unmark takes no options')
        check_directory(directory)
        if not is_valid_mark(args[0]):
            raise VaultError("bad mark '" + args[0] + "'")
        if not is_log(directory):
            raise VaultError('not a log')
        open_state(directory)
        if args[0] not in STATE['marks']:
            raise VaultError('no mark ' + args[0])
        STATE['last'] = STATE['last'] + 1
        append_to_log(directory, str(STATE['last']) + ' unmark ' + args[0])
        del STATE['marks'][args[0]]
        output.append('unmarked ' + args[0])
    elif command == 'marks':
        if len(args) != 0:
            raise UsageError('marks takes no arguments')
        check_directory(directory)
        if not is_log(directory):
            raise VaultError('not a log')
        open_state(directory)
        count = 0
        for name in sorted(STATE['marks'].keys()):
            output.append(name + ' at ' + str(STATE['marks'][name]))
            count = count + 1
        output.append('marks: ' + str(count))
    elif command == 'indexes':
        if len(args) != 0:
            raise UsageError('indexes takes no arguments')
        check_directory(directory)
        if not is_log(directory):
            raise VaultError('not a log')
        open_state(directory)
        count = 0
        for name in sorted(STATE['indexes'].keys()):
            output.append(name)
            count = count + 1
        output.append('indexes: ' + str(count))
    elif command == 'find':
        if len(args) != 2:
            raise UsageError('find takes PATH TEXT')
        check_directory(directory)
        if not is_valid_path(args[0]):
            raise VaultError("bad path '" + args[0] + "'")
        if not is_log(directory):
            raise VaultError('not a log')
        data = open_state(directory)
        if args[0] not in STATE['indexes']:
            raise VaultError('no index ' + args[0])
        candidates = get_candidates(args[0], args[1])
        if session in SESSIONS:
            # Look at the changes of the transaction
            data = get_session_data(session)
            for key in SESSIONS[session]['writes']:
                candidates.add(key)
        count = 0
        for key in sorted(candidates):
            if key in data:
                if get_term(data[key], args[0]) == args[1]:
                    output.append(key + '\t' + data[key])
                    count = count + 1
        output.append('records: ' + str(count))
    elif command == 'find-at':
        if len(args) != 3:
            raise UsageError('find-at takes N PATH TEXT')
        check_directory(directory)
        # Check the version
        if not is_valid_version(args[0]):
            raise VaultError("bad version '" + args[0] + "'")
        if not is_valid_path(args[1]):
            raise VaultError("bad path '" + args[1] + "'")
        if not is_log(directory):
            raise VaultError('not a log')
        open_state(directory)
        if int(args[0]) > STATE['last']:
            raise VaultError('version ' + args[0] + ' is in the future')
        check_compacted(int(args[0]))
        if args[1] not in STATE['indexes']:
            raise VaultError('no index ' + args[1])
        candidates = get_candidates(args[1], args[2])
        count = 0
        for key in sorted(candidates):
            value = get_value_as_of(key, int(args[0]))
            if value is not None:
                if get_term(value, args[1]) == args[2]:
                    output.append(key + '\t' + value)
                    count = count + 1
        output.append('records: ' + str(count))
    elif command == 'compact':
        if len(args) != 0:
            raise UsageError('compact takes no arguments')
        check_directory(directory)
        if not is_log(directory):
            raise VaultError('not a log')
        open_state(directory)
        output.append(compact_log(directory))
    elif command == 'begin' and in_batch:
        if len(args) != 0:
            raise UsageError('begin takes no arguments')
        check_directory(directory)
        if not is_log(directory):
            raise VaultError('not a log')
        data = open_state(directory)
        if session in SESSIONS:
            raise VaultError('already in a transaction')
        SESSIONS[session] = {'begin': STATE['last'], 'base': dict(data), 'writes': {}, 'named': set()}
        output.append('begun at ' + str(STATE['last']))
    elif command == 'commit' and in_batch:
        if len(args) != 0:
            raise UsageError('commit takes no arguments')
        output.append(commit_session(directory, session))
    elif command == 'rollback' and in_batch:
        if len(args) != 0:
            raise UsageError('rollback takes no arguments')
        if session not in SESSIONS:
            raise VaultError('not in a transaction')
        del SESSIONS[session]
        output.append('rolled back')
    else:
        raise UsageError('unknown command ' + command)


def run_each(directory, line, session):
    """Run the each command. Returns the reply and whether something was refused."""
    words = line.split(' ', 3)
    if len(words) < 4:
        raise UsageError('each takes FROM TO LINE')
    if not re.match(r'^(0|[1-9][0-9]{0,5})\Z', words[1]):
        raise VaultError("bad number '" + words[1] + "'")
    if not re.match(r'^(0|[1-9][0-9]{0,5})\Z', words[2]):
        raise VaultError("bad number '" + words[2] + "'")
    start = int(words[1])
    end = int(words[2])
    if start > end:
        raise VaultError('bad range')
    done = 0
    refused = 0
    crc = 0
    for number in range(start, end + 1):
        # Replace the number signs
        current = ''
        i = 0
        while i < len(words[3]):
            if words[3][i] == '#':
                j = i
                while j < len(words[3]) and words[3][j] == '#':
                    j += 1
                text = str(number)
                while len(text) < j - i:
                    text = '0' + text
                current = current + text
                i = j
            else:
                current = current + words[3][i]
                i += 1
        # Split the line into words
        if current.startswith('put '):
            parts = current.split(' ', 2)
        elif current.startswith('find '):
            parts = current.split(' ', 2)
        elif current.startswith('find-at '):
            parts = current.split(' ', 3)
        else:
            parts = current.split(' ')
        command = parts[0]
        args = parts[1:]
        output = []
        try:
            execute_command(directory, command, args, output, session, True)
            done = done + 1
        except UsageError as e:
            refused = refused + 1
            output = ['error: bad command']
        except VaultError as e:
            refused = refused + 1
            output = ['error: ' + str(e)]
        for out in output:
            crc = zlib.crc32((out + '\n').encode('utf-8'), crc)
    reply = 'each: ' + str(done) + ' done, ' + str(refused) + ' refused, ' + '%08x' % (crc & 0xffffffff)
    return reply, refused > 0


def run_batch(directory):
    """Run the batch mode."""
    check_directory(directory)
    text = sys.stdin.buffer.read().decode('utf-8')
    failed = False
    # Process each line
    for line in text.split('\n'):
        # Remove the carriage return
        if line.endswith('\r'):
            line = line[:-1]
        if line == '':
            continue
        if line.startswith('#'):
            continue
        # Handle the session
        session = 'main'
        if line.startswith('@'):
            pos = line.find(' ')
            if pos == -1:
                session = line[1:]
                line = ''
            else:
                session = line[1:pos]
                line = line[pos + 1:]
            if not re.match(r'^[a-z0-9]{1,16}\Z', session):
                failed = True
                print("error: bad session '" + session + "'")
                continue
        # Handle each
        if line == 'each' or line.startswith('each '):
            try:
                reply, any_refused = run_each(directory, line, session)
                print(reply)
                if any_refused:
                    failed = True
            except UsageError as e:
                failed = True
                print('error: bad command')
            except VaultError as e:
                failed = True
                print('error: ' + str(e))
            continue
        # Split the line into words
        if line.startswith('put '):
            words = line.split(' ', 2)
        elif line.startswith('find '):
            words = line.split(' ', 2)
        elif line.startswith('find-at '):
            words = line.split(' ', 3)
        else:
            words = line.split(' ')
        command = words[0]
        args = words[1:]
        output = []
        try:
            execute_command(directory, command, args, output, session, True)
            for out in output:
                print(out)
        except UsageError as e:
            failed = True
            print('error: bad command')
        except VaultError as e:
            failed = True
            print('error: ' + str(e))
    if failed:
        return 1
    else:
        return 0


def main():
    """Main entry point."""
    sys.stdout.reconfigure(encoding='utf-8')
    sys.stderr.reconfigure(encoding='utf-8')
    argv = sys.argv[1:]
    if len(argv) < 3:
        print('usage: vault.py --dir D COMMAND ...', file=sys.stderr)
        return 2
    if argv[0] != '--dir':
        print('usage: vault.py --dir D COMMAND ...', file=sys.stderr)
        return 2
    directory = argv[1]
    command = argv[2]
    args = argv[3:]
    try:
        if command == 'batch':
            if len(args) != 0:
                raise UsageError('batch takes no arguments')
            return run_batch(directory)
        output = []
        execute_command(directory, command, args, output)
        for out in output:
            print(out)
        return 0
    except UsageError as e:
        print(str(e), file=sys.stderr)
        return 2
    except VaultError as e:
        print('error: ' + str(e), file=sys.stderr)
        return 1


if __name__ == '__main__':
    sys.exit(main())
