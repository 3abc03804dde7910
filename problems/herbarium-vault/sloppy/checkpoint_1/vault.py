#!/usr/bin/env python3
"""
Vault - a record store for herbarium specimens.

This module implements the command line interface and the storage.
"""
import json
import os
import re
import sys


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


def execute_command(directory, data, command, args, output):
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
        if key in data:
            data[key] = value
            save_store(directory, data)
            output.append('replaced ' + key)
        else:
            data[key] = value
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
        if key not in data:
            raise VaultError('no record ' + key)
        del data[key]
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
    else:
        raise UsageError('unknown command ' + command)


def run_batch(directory):
    """Run the batch mode."""
    check_directory(directory)
    data = load_store(directory)
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
        # Split the line into words
        if line.startswith('put '):
            words = line.split(' ', 2)
        else:
            words = line.split(' ')
        command = words[0]
        args = words[1:]
        output = []
        try:
            execute_command(directory, data, command, args, output)
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
        try:
            data = load_store(directory)
        except Exception:
            data = {}
        output = []
        execute_command(directory, data, command, args, output)
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
