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
    else:
        return None


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
    """Load the log from disk. Returns the data and the last sequence number."""
    lines = read_log_lines(directory)
    if len(lines) == 0 or lines[0] != b'vault-log 1\n':
        raise VaultError('vault.log has no header')
    data = {}
    last = 0
    good_bytes = len(lines[0])
    i = 1
    while i < len(lines):
        line = lines[i]
        entry = None
        if is_framed(line):
            entry = parse_payload(line)
        if entry is None or entry[0] != last + 1:
            # Check if there is a framed line after this one
            for later in lines[i + 1:]:
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
        if entry[1] == 'put':
            data[entry[2]] = entry[3]
        else:
            if entry[2] in data:
                del data[entry[2]]
        last = entry[0]
        good_bytes = good_bytes + len(line)
        i += 1
    return data, last


def verify_log(directory):
    """Verify the log."""
    if not is_log(directory):
        raise VaultError('not a log')
    lines = read_log_lines(directory)
    if len(lines) == 0 or lines[0] != b'vault-log 1\n':
        raise VaultError('vault.log has no header')
    last = 0
    i = 1
    while i < len(lines):
        line = lines[i]
        entry = None
        if is_framed(line):
            entry = parse_payload(line)
        if entry is None or entry[0] != last + 1:
            # Check if there is a framed line after this one
            for later in lines[i + 1:]:
                if is_framed(later):
                    raise VaultError('vault.log is damaged at line ' + str(i + 1))
            dropped = 0
            for later in lines[i:]:
                dropped = dropped + len(later)
            raise VaultError('torn tail at line ' + str(i + 1) + ': ' + str(dropped) + ' bytes')
        last = entry[0]
        i += 1
    return 'sound: ' + str(len(lines) - 1) + ' records, last ' + str(last)


def repair_log(directory):
    """Repair the log."""
    if not is_log(directory):
        raise VaultError('not a log')
    lines = read_log_lines(directory)
    if len(lines) == 0 or lines[0] != b'vault-log 1\n':
        raise VaultError('vault.log has no header')
    last = 0
    kept = 0
    good_bytes = len(lines[0])
    i = 1
    while i < len(lines):
        line = lines[i]
        entry = None
        if is_framed(line):
            entry = parse_payload(line)
        if entry is None or entry[0] != last + 1:
            dropped = 0
            for later in lines[i:]:
                dropped = dropped + len(later)
            with open(get_log_path(directory), 'r+b') as f:
                f.truncate(good_bytes)
            return 'repaired: kept ' + str(kept) + ' records, dropped ' + str(dropped) + ' bytes'
        last = entry[0]
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
STATE = {'data': None, 'last': 0, 'log': False, 'file': None}


def open_state(directory):
    """Open the store if it is not open yet."""
    if STATE['data'] is not None:
        return STATE['data']
    if is_log(directory):
        data, last = load_log(directory)
        STATE['data'] = data
        STATE['last'] = last
        STATE['log'] = True
    else:
        STATE['data'] = load_store(directory)
        STATE['last'] = 0
        STATE['log'] = False
    return STATE['data']


def append_to_log(directory, payload):
    """Append a payload to the log."""
    if STATE['file'] is None:
        STATE['file'] = open(get_log_path(directory), 'ab')
    STATE['file'].write(make_log_line(payload))
    STATE['file'].flush()


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
        elif arg == '--reverse':
            if reverse:
                raise UsageError('--reverse given twice')
            reverse = True
            i += 1
        else:
            raise UsageError('unexpected argument ' + arg)
    return prefix, start, end, limit, reverse


def parse_count_args(args):
    """Parse the arguments of count."""
    prefix = None
    start = None
    end = None
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
        else:
            raise UsageError('unexpected argument ' + arg)
    return prefix, start, end


def execute_command(directory, command, args, output):
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
        if key in data:
            data[key] = value
            if STATE['log'] == True:
                STATE['last'] = STATE['last'] + 1
                append_to_log(directory, str(STATE['last']) + ' put ' + key + ' ' + value)
            else:
                save_store(directory, data)
            output.append('replaced ' + key)
        else:
            data[key] = value
            if STATE['log'] == True:
                STATE['last'] = STATE['last'] + 1
                append_to_log(directory, str(STATE['last']) + ' put ' + key + ' ' + value)
            else:
                save_store(directory, data)
            output.append('stored ' + key)
    elif command == 'get':
        if len(args) != 1:
            raise UsageError('get takes KEY')
        key = args[0]
        if key.startswith('--'):
            raise UsageError('unknown option ' + key)
        check_directory(directory)
        # Validate the key
        if not is_valid_key(key):
            raise VaultError("bad key '" + key + "'")
        data = open_state(directory)
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
        if key not in data:
            raise VaultError('no record ' + key)
        del data[key]
        if STATE['log'] == True:
            STATE['last'] = STATE['last'] + 1
            append_to_log(directory, str(STATE['last']) + ' del ' + key)
        else:
            save_store(directory, data)
        output.append('deleted ' + key)
    elif command == 'scan':
        prefix, start, end, limit, reverse = parse_scan_args(args)
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
        # Collect the matching records
        data = open_state(directory)
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
        prefix, start, end = parse_count_args(args)
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
        # Count the matching records
        data = open_state(directory)
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
    else:
        raise UsageError('unknown command ' + command)


def run_each(directory, line):
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
        else:
            parts = current.split(' ')
        command = parts[0]
        args = parts[1:]
        output = []
        try:
            execute_command(directory, command, args, output)
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
        # Handle each
        if line == 'each' or line.startswith('each '):
            try:
                reply, any_refused = run_each(directory, line)
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
        else:
            words = line.split(' ')
        command = words[0]
        args = words[1:]
        output = []
        try:
            execute_command(directory, command, args, output)
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
