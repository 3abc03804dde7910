#!/usr/bin/env python3
"""Chest - keeps sheets."""
import json
import os
import sys
import unicodedata

# Reason of the refusal
REASON = None


def refuse(reason):
    """Refuse the command."""
    global REASON
    REASON = reason
    return None


def char_is_bad(ch):
    """Check if the character is bad."""
    cat = unicodedata.category(ch)
    if cat[0] == 'L' or cat[0] == 'M' or cat[0] == 'N':
        return False
    if ch in " -_.,()'":
        return False
    return True


def part_is_bad(part):
    """Check if the part is bad."""
    if len(part) == 0 or len(part) > 60:
        return True
    if part[0] == '.' or part[0] == '-' or part[0] == ' ':
        return True
    if part[-1] == '.' or part[-1] == ' ':
        return True
    for ch in part:
        if char_is_bad(ch) == True:
            return True
    return False


def path_is_bad(path):
    """Check if the path is bad."""
    if len(path) > 200:
        return True
    for part in path.split('/'):
        if part_is_bad(part) == True:
            return True
    return False


def no_constant(name):
    """No constants in JSON."""
    raise ValueError(name)


def run(args):
    """Run the command."""
    folder = args[0]
    command = args[1]

    # Load the chest
    data = {'sheets': {}}
    if os.path.exists(os.path.join(folder, 'chest.json')):
        with open(os.path.join(folder, 'chest.json'), 'r', encoding='utf-8') as f:
            data = json.load(f)

    if command == 'take':
        # Read the file
        try:
            with open(args[2], 'rb') as f:
                raw = f.read()
        except Exception:
            return refuse('no such file')
        try:
            content = raw.decode('utf-8')
        except Exception:
            return refuse('not utf-8')
        # Read the lines
        new = {}
        number = 0
        for line in content.split('\n'):
            number = number + 1
            if line == '':
                continue
            try:
                value = json.loads(line, parse_constant=no_constant)
            except Exception:
                return refuse('line ' + str(number) + ': not a sheet')
            except RecursionError:
                return refuse('line ' + str(number) + ': not a sheet')
            if not isinstance(value, dict):
                return refuse('line ' + str(number) + ': not a sheet')
            if len(value) != 2 or 'path' not in value or 'text' not in value:
                return refuse('line ' + str(number) + ': not a sheet')
            if not isinstance(value['path'], str) or not isinstance(value['text'], str):
                return refuse('line ' + str(number) + ': not a sheet')
            # Check the path
            path = unicodedata.normalize('NFC', value['path'])
            if path_is_bad(path) == True:
                return refuse('line ' + str(number) + ': bad path')
            text = value['text']
            # Check the text
            bad = False
            if len(text) > 20000:
                bad = True
            for ch in text:
                if unicodedata.category(ch) == 'Cs':
                    bad = True
                if unicodedata.category(ch) == 'Cc' and ch != '\t' and ch != '\n':
                    bad = True
            if bad == True:
                return refuse('line ' + str(number) + ': bad text')
            if path in new:
                return refuse('line ' + str(number) + ': repeated')
            # Check for clashes with earlier lines
            for other in new:
                if other != path:
                    if other.lower() == path.lower():
                        return refuse('line ' + str(number) + ': clash')
                    if other.lower().startswith(path.lower() + '/'):
                        return refuse('line ' + str(number) + ': clash')
                    if path.lower().startswith(other.lower() + '/'):
                        return refuse('line ' + str(number) + ': clash')
            # Check for clashes with sheets in the chest
            for other in data['sheets']:
                if other != path:
                    if other.lower() == path.lower():
                        return refuse('line ' + str(number) + ': clash')
                    if other.lower().startswith(path.lower() + '/'):
                        return refuse('line ' + str(number) + ': clash')
                    if path.lower().startswith(other.lower() + '/'):
                        return refuse('line ' + str(number) + ': clash')
            new[path] = text
        for path in new:
            data['sheets'][path] = {'text': new[path]}

        # Save the chest
        if not os.path.exists(folder):
            os.makedirs(folder)
        with open(os.path.join(folder, 'chest.json.tmp'), 'w', encoding='utf-8') as f:
            json.dump(data, f)
        os.replace(os.path.join(folder, 'chest.json.tmp'), os.path.join(folder, 'chest.json'))
        return 'taken: ' + str(len(new)) + '\n'
    elif command == 'list':
        result = ''
        for path in sorted(data['sheets'].keys()):
            result = result + path + '\n'
        return result
    elif command == 'show':
        # Check the path
        path = unicodedata.normalize('NFC', args[2])
        if path_is_bad(path) == True:
            return refuse('bad path')
        if path not in data['sheets']:
            return refuse('no such sheet')

        return data['sheets'][path]['text']
    elif command == 'drop':
        # Check the path
        path = unicodedata.normalize('NFC', args[2])
        if path_is_bad(path) == True:
            return refuse('bad path')
        if path not in data['sheets']:
            return refuse('no such sheet')

        del data['sheets'][path]

        # Save the chest
        if not os.path.exists(folder):
            os.makedirs(folder)
        with open(os.path.join(folder, 'chest.json.tmp'), 'w', encoding='utf-8') as f:
            json.dump(data, f)
        os.replace(os.path.join(folder, 'chest.json.tmp'), os.path.join(folder, 'chest.json'))
        return 'dropped: 1\n'
    elif command == 'copy':
        out = args[2]
        # Check the folder
        if os.path.lexists(out):
            if not os.path.isdir(out):
                return refuse('folder not empty')
            if len(os.listdir(out)) > 0:
                return refuse('folder not empty')
        if not os.path.exists(out):
            os.makedirs(out)
        count = 0
        for path in data['sheets']:
            file_name = os.path.join(out, path)
            if not os.path.exists(os.path.dirname(file_name)):
                os.makedirs(os.path.dirname(file_name))
            with open(file_name, 'w', encoding='utf-8', newline='') as f:
                f.write(data['sheets'][path]['text'])
            count = count + 1
        return 'copied: ' + str(count) + '\n'
    return ''


def main():
    """Main function."""
    args = sys.argv[1:]
    # Check the usage
    usage = True
    if len(args) >= 2:
        if args[1] == 'take' and len(args) == 3:
            usage = False
        elif args[1] == 'list' and len(args) == 2:
            usage = False
        elif args[1] == 'show' and len(args) == 3:
            usage = False
        elif args[1] == 'drop' and len(args) == 3:
            usage = False
        elif args[1] == 'copy' and len(args) == 3:
            usage = False
    if usage == True:
        sys.stderr.write('usage: chest.py DIR COMMAND [ARGUMENT ...]\n')
        sys.exit(2)
    output = run(args)
    if REASON is not None:
        sys.stderr.write('refused: ' + REASON + '\n')
        sys.exit(1)
    if isinstance(output, bytes):
        sys.stdout.buffer.write(output)
    else:
        sys.stdout.buffer.write(output.encode('utf-8'))


if __name__ == '__main__':
    main()
