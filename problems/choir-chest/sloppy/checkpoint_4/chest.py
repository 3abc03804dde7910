#!/usr/bin/env python3
"""Chest - keeps sheets."""
import base64
import hashlib
import hmac
import json
import os
import re
import subprocess
import sys
import unicodedata
import zlib

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


def tokenize(text):
    """Split the question into tokens."""
    tokens = []
    i = 0
    while i < len(text):
        ch = text[i]
        if ch == ' ':
            i = i + 1
        elif ch in '=<>~()':
            tokens.append(['sign', ch])
            i = i + 1
        elif ch == '!':
            if i + 1 < len(text) and text[i + 1] == '=':
                tokens.append(['sign', '!='])
                i = i + 2
            else:
                return None
        elif ch == '"':
            value = ''
            i = i + 1
            done = False
            while i < len(text):
                if text[i] == '"':
                    done = True
                    i = i + 1
                    break
                elif text[i] == '\\':
                    if i + 1 < len(text) and text[i + 1] in '"\\':
                        value = value + text[i + 1]
                        i = i + 2
                    else:
                        return None
                else:
                    value = value + text[i]
                    i = i + 1
            if done == False:
                return None
            tokens.append(['text', value])
        elif ch in '0123456789':
            value = ''
            while i < len(text) and text[i] in '0123456789':
                value = value + text[i]
                i = i + 1
            if len(value) > 9:
                return None
            if i < len(text) and text[i] in 'abcdefghijklmnopqrstuvwxyz':
                return None
            tokens.append(['number', int(value)])
        elif ch in 'abcdefghijklmnopqrstuvwxyz':
            value = ''
            while i < len(text) and text[i] in 'abcdefghijklmnopqrstuvwxyz':
                value = value + text[i]
                i = i + 1
            if i < len(text) and text[i] in '0123456789':
                return None
            tokens.append(['word', value])
        else:
            return None
    return tokens


def ask_or(tokens, pos, depth, path, text):
    """Answer a question with or. Returns None if it is bad."""
    result = ask_and(tokens, pos, depth, path, text)
    if result is None:
        return None
    value = result[0]
    pos = result[1]
    while pos < len(tokens) and tokens[pos] == ['word', 'or']:
        result = ask_and(tokens, pos + 1, depth, path, text)
        if result is None:
            return None
        if result[0] == True:
            value = True
        pos = result[1]
    return [value, pos]


def ask_and(tokens, pos, depth, path, text):
    """Answer a question with and. Returns None if it is bad."""
    result = ask_not(tokens, pos, depth, path, text)
    if result is None:
        return None
    value = result[0]
    pos = result[1]
    while pos < len(tokens) and tokens[pos] == ['word', 'and']:
        result = ask_not(tokens, pos + 1, depth, path, text)
        if result is None:
            return None
        if result[0] == False:
            value = False
        pos = result[1]
    return [value, pos]


def ask_not(tokens, pos, depth, path, text):
    """Answer a question. Returns None if it is bad."""
    if pos >= len(tokens):
        return None
    if tokens[pos] == ['word', 'not']:
        if depth + 1 > 20:
            return None
        result = ask_not(tokens, pos + 1, depth + 1, path, text)
        if result is None:
            return None
        return [not result[0], result[1]]
    elif tokens[pos] == ['sign', '(']:
        if depth + 1 > 20:
            return None
        result = ask_or(tokens, pos + 1, depth + 1, path, text)
        if result is None:
            return None
        if result[1] >= len(tokens) or tokens[result[1]] != ['sign', ')']:
            return None
        return [result[0], result[1] + 1]
    else:
        if pos + 2 >= len(tokens):
            return None
        if tokens[pos][0] != 'word' or tokens[pos + 1][0] != 'sign':
            return None
        field = tokens[pos][1]
        sign = tokens[pos + 1][1]
        kind = tokens[pos + 2][0]
        value = tokens[pos + 2][1]
        if field == 'path':
            if kind != 'text':
                return None
            if sign == '=':
                answer = path == value
            elif sign == '!=':
                answer = path != value
            elif sign == '<':
                answer = path < value
            elif sign == '>':
                answer = path > value
            elif sign == '~':
                answer = value in path
            else:
                return None
        elif field == 'folder':
            if kind != 'text':
                return None
            first = ''
            if '/' in path:
                first = path.split('/')[0]
            if sign == '=':
                answer = first == value
            elif sign == '!=':
                answer = first != value
            elif sign == '<':
                answer = first < value
            elif sign == '>':
                answer = first > value
            elif sign == '~':
                answer = value in first
            else:
                return None
        elif field == 'text':
            if kind != 'text':
                return None
            if sign == '=':
                answer = text == value
            elif sign == '!=':
                answer = text != value
            elif sign == '<':
                answer = text < value
            elif sign == '>':
                answer = text > value
            elif sign == '~':
                answer = value in text
            else:
                return None
        elif field == 'size':
            if kind != 'number':
                return None
            if sign == '=':
                answer = len(text) == value
            elif sign == '!=':
                answer = len(text) != value
            elif sign == '<':
                answer = len(text) < value
            elif sign == '>':
                answer = len(text) > value
            else:
                return None
        elif field == 'lines':
            if kind != 'number':
                return None
            if sign == '=':
                answer = text.count('\n') == value
            elif sign == '!=':
                answer = text.count('\n') != value
            elif sign == '<':
                answer = text.count('\n') < value
            elif sign == '>':
                answer = text.count('\n') > value
            else:
                return None
        else:
            return None
        return [answer, pos + 3]


def run(args):
    """Run the command."""
    folder = args[0]
    command = args[1]

    # Load the chest
    data = {'sheets': {}}
    data['journal'] = []
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
        key = os.environ.get('CHEST_KEY', '')
        if key != '':
            # Check the seal
            end = content
            if end.endswith('\n'):
                end = end[:-1]
            start = end.rfind('\n') + 1
            last = end[start:]
            if len(last.encode('utf-8')) > 100000:
                return refuse('no seal')
            # Check the depth
            deep = 0
            in_string = False
            skip = False
            too_deep = False
            for ch in last:
                if skip == True:
                    skip = False
                elif in_string == True:
                    if ch == '\\':
                        skip = True
                    elif ch == '"':
                        in_string = False
                else:
                    if ch == '"':
                        in_string = True
                    elif ch == '[' or ch == '{':
                        deep = deep + 1
                        if deep > 20:
                            too_deep = True
                    elif ch == ']' or ch == '}':
                        if deep > 0:
                            deep = deep - 1
            if too_deep == True:
                return refuse('no seal')
            try:
                value = json.loads(last, parse_constant=no_constant)
            except Exception:
                return refuse('no seal')
            if not isinstance(value, dict):
                return refuse('no seal')
            if list(value.keys()) != ['seal'] or not isinstance(value['seal'], str):
                return refuse('no seal')
            content = content[:start]
            right = hmac.new(key.encode('utf-8', 'surrogateescape'), content.encode('utf-8'), hashlib.sha256).hexdigest()
            if value['seal'] != right:
                return refuse('wrong seal')
        # Read the lines
        new = {}
        number = 0
        total = 0
        for line in content.split('\n'):
            number = number + 1
            if line == '':
                continue
            if len(line.encode('utf-8')) > 100000:
                return refuse('line ' + str(number) + ': too long')
            # Check the depth
            deep = 0
            in_string = False
            skip = False
            too_deep = False
            for ch in line:
                if skip == True:
                    skip = False
                elif in_string == True:
                    if ch == '\\':
                        skip = True
                    elif ch == '"':
                        in_string = False
                else:
                    if ch == '"':
                        in_string = True
                    elif ch == '[' or ch == '{':
                        deep = deep + 1
                        if deep > 20:
                            too_deep = True
                    elif ch == ']' or ch == '}':
                        if deep > 0:
                            deep = deep - 1
            if too_deep == True:
                return refuse('line ' + str(number) + ': too deep')
            try:
                value = json.loads(line, parse_constant=no_constant)
            except Exception:
                return refuse('line ' + str(number) + ': not a sheet')
            except RecursionError:
                return refuse('line ' + str(number) + ': not a sheet')
            if not isinstance(value, dict):
                return refuse('line ' + str(number) + ': not a sheet')
            if len(value) != 2 or 'path' not in value:
                return refuse('line ' + str(number) + ': not a sheet')
            if not isinstance(value['path'], str):
                return refuse('line ' + str(number) + ': not a sheet')
            if 'text' in value:
                if not isinstance(value['text'], str):
                    return refuse('line ' + str(number) + ': not a sheet')
            elif 'gzip' in value:
                if not isinstance(value['gzip'], str):
                    return refuse('line ' + str(number) + ': not a sheet')
            else:
                return refuse('line ' + str(number) + ': not a sheet')
            # Check the path
            path = unicodedata.normalize('NFC', value['path'])
            if path_is_bad(path) == True:
                return refuse('line ' + str(number) + ': bad path')
            if 'text' in value:
                text = value['text']
            else:
                # Unpack the text
                try:
                    packed = base64.b64decode(value['gzip'], validate=True)
                    unpacker = zlib.decompressobj(31)
                    unpacked = unpacker.decompress(packed, 65537)
                except Exception:
                    return refuse('line ' + str(number) + ': bad gzip')
                if len(unpacked) > 65536:
                    return refuse('line ' + str(number) + ': too large')
                try:
                    text = unpacked.decode('utf-8')
                except Exception:
                    return refuse('line ' + str(number) + ': bad gzip')
                if unpacker.eof == False:
                    return refuse('line ' + str(number) + ': bad gzip')
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
            if path in data['sheets'] and data['sheets'][path]['lock'] is not None:
                return refuse('line ' + str(number) + ': locked')
            if len(new) >= 500:
                return refuse('line ' + str(number) + ': too many')
            total = total + len(text.encode('utf-8'))
            if total > 1000000:
                return refuse('line ' + str(number) + ': bundle too large')
            new[path] = text
        for path in new:
            data['sheets'][path] = {'text': new[path], 'lock': None}

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
            if data['sheets'][path]['lock'] is not None:
                result = result + path + ' (locked)' + '\n'
            else:
                result = result + path + '\n'
        return result
    elif command == 'show':
        # Check the path
        path = unicodedata.normalize('NFC', args[2])
        if path_is_bad(path) == True:
            return refuse('bad path')
        if path not in data['sheets']:
            return refuse('no such sheet')

        # Check the lock
        if data['sheets'][path]['lock'] is not None:
            word = os.environ.get('CHEST_WORD', '')
            salt = data['sheets'][path]['lock'].split(':')[0]
            digest = hashlib.sha256((salt + word).encode('utf-8', 'surrogateescape')).hexdigest()
            if digest != data['sheets'][path]['lock'].split(':')[1]:
                return refuse('locked')
        return data['sheets'][path]['text']
    elif command == 'drop':
        # Check the path
        path = unicodedata.normalize('NFC', args[2])
        if path_is_bad(path) == True:
            return refuse('bad path')
        if path not in data['sheets']:
            return refuse('no such sheet')

        # Check the lock
        if data['sheets'][path]['lock'] is not None:
            word = os.environ.get('CHEST_WORD', '')
            salt = data['sheets'][path]['lock'].split(':')[0]
            digest = hashlib.sha256((salt + word).encode('utf-8', 'surrogateescape')).hexdigest()
            if digest != data['sheets'][path]['lock'].split(':')[1]:
                return refuse('locked')
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
            # Check the lock
            if data['sheets'][path]['lock'] is not None:
                word = os.environ.get('CHEST_WORD', '')
                salt = data['sheets'][path]['lock'].split(':')[0]
                digest = hashlib.sha256((salt + word).encode('utf-8', 'surrogateescape')).hexdigest()
                if digest != data['sheets'][path]['lock'].split(':')[1]:
                    continue
            file_name = os.path.join(out, path)
            if not os.path.exists(os.path.dirname(file_name)):
                os.makedirs(os.path.dirname(file_name))
            with open(file_name, 'w', encoding='utf-8', newline='') as f:
                f.write(data['sheets'][path]['text'])
            count = count + 1
        return 'copied: ' + str(count) + '\n'
    elif command == 'fill':
        # Check the path
        path = unicodedata.normalize('NFC', args[2])
        bad = False
        if len(path) > 200:
            bad = True
        for part in path.split('/'):
            if len(part) == 0 or len(part) > 60:
                bad = True
            else:
                if part[0] == '.' or part[0] == '-' or part[0] == ' ':
                    bad = True
                if part[-1] == '.' or part[-1] == ' ':
                    bad = True
                for ch in part:
                    cat = unicodedata.category(ch)
                    if cat[0] == 'L' or cat[0] == 'M' or cat[0] == 'N':
                        pass
                    elif ch in " -_.,()'":
                        pass
                    else:
                        bad = True
        if bad == True:
            return refuse('bad path')
        if path not in data['sheets']:
            return refuse('no such sheet')

        # Check the lock
        if data['sheets'][path]['lock'] is not None:
            word = os.environ.get('CHEST_WORD', '')
            salt = data['sheets'][path]['lock'].split(':')[0]
            digest = hashlib.sha256((salt + word).encode('utf-8', 'surrogateescape')).hexdigest()
            if digest != data['sheets'][path]['lock'].split(':')[1]:
                return refuse('locked')

        form = args[4]
        if form != 'plain' and form != 'html' and form != 'line' and form != 'csv' and form != 'shell':
            return refuse('unknown form')

        # Read the file
        try:
            with open(args[3], 'rb') as f:
                raw = f.read()
        except Exception:
            return refuse('no such file')
        try:
            content = raw.decode('utf-8')
        except Exception:
            return refuse('not a record')
        if len(raw) > 100000:
            return refuse('not a record')

        # Check the depth
        deep = 0
        in_string = False
        skip = False
        too_deep = False
        for ch in content:
            if skip == True:
                skip = False
            elif in_string == True:
                if ch == '\\':
                    skip = True
                elif ch == '"':
                    in_string = False
            else:
                if ch == '"':
                    in_string = True
                elif ch == '[' or ch == '{':
                    deep = deep + 1
                    if deep > 20:
                        too_deep = True
                elif ch == ']' or ch == '}':
                    if deep > 0:
                        deep = deep - 1
        if too_deep == True:
            return refuse('not a record')
        try:
            record = json.loads(content, parse_constant=no_constant)
        except Exception:
            return refuse('not a record')
        if not isinstance(record, dict):
            return refuse('not a record')
        for name in record:
            if not isinstance(record[name], str):
                return refuse('not a record')
            for ch in name:
                if unicodedata.category(ch) == 'Cs':
                    return refuse('not a record')
            for ch in record[name]:
                if unicodedata.category(ch) == 'Cs':
                    return refuse('not a record')
        text = data['sheets'][path]['text']
        # Check the gaps
        pos = 0
        while True:
            pos = text.find('{{', pos)
            if pos == -1:
                break
            match = re.match('{{[a-z][a-z0-9_]{0,19}}}', text[pos:])
            if match is None:
                return refuse('bad gap')
            pos = pos + match.end()
        # Check the values
        pos = 0
        while True:
            pos = text.find('{{', pos)
            if pos == -1:
                break
            match = re.match('{{[a-z][a-z0-9_]{0,19}}}', text[pos:])
            name = match.group(0)[2:-2]
            if name not in record:
                return refuse('no value')
            pos = pos + match.end()
        # Fill the gaps
        result = ''
        pos = 0
        while True:
            start = text.find('{{', pos)
            if start == -1:
                result = result + text[pos:]
                break
            match = re.match('{{[a-z][a-z0-9_]{0,19}}}', text[start:])
            name = match.group(0)[2:-2]
            value = record[name]
            result = result + text[pos:start]
            if form == 'plain':
                result = result + value
            elif form == 'html':
                for ch in value:
                    if ch == '&':
                        result = result + '&amp;'
                    elif ch == '<':
                        result = result + '&lt;'
                    elif ch == '>':
                        result = result + '&gt;'
                    elif ch == '"':
                        result = result + '&quot;'
                    elif ch == "'":
                        result = result + '&#39;'
                    else:
                        result = result + ch
            elif form == 'line':
                for ch in value:
                    if unicodedata.category(ch) == 'Cc' or unicodedata.category(ch) == 'Zl' or unicodedata.category(ch) == 'Zp':
                        result = result + ' '
                    else:
                        result = result + ch
            elif form == 'csv':
                result = result + '"'
                if value != '' and value[0] in '=+-@\t\r':
                    result = result + "'"
                for ch in value:
                    if ch == '"':
                        result = result + '""'
                    else:
                        result = result + ch
                result = result + '"'
            elif form == 'shell':
                result = result + "'"
                for ch in value:
                    if ch == "'":
                        result = result + "'\\''"
                    else:
                        result = result + ch
                result = result + "'"
            pos = start + match.end()
        return result
    elif command == 'print':
        # Check the path
        path = unicodedata.normalize('NFC', args[2])
        bad = False
        if len(path) > 200:
            bad = True
        for part in path.split('/'):
            if len(part) == 0 or len(part) > 60:
                bad = True
            else:
                if part[0] == '.' or part[0] == '-' or part[0] == ' ':
                    bad = True
                if part[-1] == '.' or part[-1] == ' ':
                    bad = True
                for ch in part:
                    cat = unicodedata.category(ch)
                    if cat[0] == 'L' or cat[0] == 'M' or cat[0] == 'N':
                        pass
                    elif ch in " -_.,()'":
                        pass
                    else:
                        bad = True
        if bad == True:
            return refuse('bad path')
        if path not in data['sheets']:
            return refuse('no such sheet')

        # Check the lock
        if data['sheets'][path]['lock'] is not None:
            word = os.environ.get('CHEST_WORD', '')
            salt = data['sheets'][path]['lock'].split(':')[0]
            digest = hashlib.sha256((salt + word).encode('utf-8', 'surrogateescape')).hexdigest()
            if digest != data['sheets'][path]['lock'].split(':')[1]:
                return refuse('locked')

        title = args[3]
        if len(title) > 100:
            return refuse('bad title')
        for ch in title:
            if unicodedata.category(ch) == 'Cc':
                return refuse('bad title')
        printer = os.environ.get('CHEST_PRINTER', '')
        if printer == '':
            return refuse('no printer')
        words = []
        for printer_word in printer.split(' '):
            words.append(printer_word)
        words.append('--title=' + title)
        try:
            process = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env={'PATH': os.environ.get('PATH', '/usr/bin:/bin')})
            output = process.communicate(data['sheets'][path]['text'].encode('utf-8'))[0]
        except Exception:
            return refuse('printer failed')
        if process.returncode != 0:
            return refuse('printer failed')
        return output
    elif command == 'find':
        question = args[2]
        if len(question) > 1000:
            return refuse('bad question')
        tokens = tokenize(question)
        if tokens is None:
            return refuse('bad question')
        # Check the question
        result = ask_or(tokens, 0, 0, '', '')
        if result is None:
            return refuse('bad question')
        if result[1] != len(tokens):
            return refuse('bad question')
        found = ''
        for path in sorted(data['sheets'].keys()):
            # Check the lock
            if data['sheets'][path]['lock'] is not None:
                word = os.environ.get('CHEST_WORD', '')
                salt = data['sheets'][path]['lock'].split(':')[0]
                digest = hashlib.sha256((salt + word).encode('utf-8', 'surrogateescape')).hexdigest()
                if digest != data['sheets'][path]['lock'].split(':')[1]:
                    continue
            result = ask_or(tokens, 0, 0, path, data['sheets'][path]['text'])
            if result[0] == True:
                found = found + path + '\n'
        return found
    elif command == 'seal':
        key = os.environ.get('CHEST_KEY', '')
        if key == '':
            return refuse('no key')
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

        if content != '' and not content.endswith('\n'):
            content = content + '\n'
        right = hmac.new(key.encode('utf-8', 'surrogateescape'), content.encode('utf-8'), hashlib.sha256).hexdigest()
        return content + '{"seal": "' + right + '"}\n'
    elif command == 'lock':
        # Check the path
        path = unicodedata.normalize('NFC', args[2])
        bad = False
        if len(path) > 200:
            bad = True
        for part in path.split('/'):
            if len(part) == 0 or len(part) > 60:
                bad = True
            else:
                if part[0] == '.' or part[0] == '-' or part[0] == ' ':
                    bad = True
                if part[-1] == '.' or part[-1] == ' ':
                    bad = True
                for ch in part:
                    cat = unicodedata.category(ch)
                    if cat[0] == 'L' or cat[0] == 'M' or cat[0] == 'N':
                        pass
                    elif ch in " -_.,()'":
                        pass
                    else:
                        bad = True
        if bad == True:
            return refuse('bad path')
        if path not in data['sheets']:
            return refuse('no such sheet')

        word = os.environ.get('CHEST_WORD', '')
        if word == '':
            return refuse('no word')
        if data['sheets'][path]['lock'] is not None:
            salt = data['sheets'][path]['lock'].split(':')[0]
            digest = hashlib.sha256((salt + word).encode('utf-8', 'surrogateescape')).hexdigest()
            if digest != data['sheets'][path]['lock'].split(':')[1]:
                return refuse('locked')

        if data['sheets'][path]['lock'] is not None:
            return refuse('locked already')
        salt = os.urandom(8).hex()
        digest = hashlib.sha256((salt + word).encode('utf-8', 'surrogateescape')).hexdigest()
        data['sheets'][path]['lock'] = salt + ':' + digest

        # Save the chest
        if not os.path.exists(folder):
            os.makedirs(folder)
        with open(os.path.join(folder, 'chest.json.tmp'), 'w', encoding='utf-8') as f:
            json.dump(data, f)
        os.replace(os.path.join(folder, 'chest.json.tmp'), os.path.join(folder, 'chest.json'))
        return 'locked: 1\n'
    elif command == 'unlock':
        # Check the path
        path = unicodedata.normalize('NFC', args[2])
        bad = False
        if len(path) > 200:
            bad = True
        for part in path.split('/'):
            if len(part) == 0 or len(part) > 60:
                bad = True
            else:
                if part[0] == '.' or part[0] == '-' or part[0] == ' ':
                    bad = True
                if part[-1] == '.' or part[-1] == ' ':
                    bad = True
                for ch in part:
                    cat = unicodedata.category(ch)
                    if cat[0] == 'L' or cat[0] == 'M' or cat[0] == 'N':
                        pass
                    elif ch in " -_.,()'":
                        pass
                    else:
                        bad = True
        if bad == True:
            return refuse('bad path')
        if path not in data['sheets']:
            return refuse('no such sheet')

        word = os.environ.get('CHEST_WORD', '')
        if word == '':
            return refuse('no word')
        if data['sheets'][path]['lock'] is not None:
            salt = data['sheets'][path]['lock'].split(':')[0]
            digest = hashlib.sha256((salt + word).encode('utf-8', 'surrogateescape')).hexdigest()
            if digest != data['sheets'][path]['lock'].split(':')[1]:
                return refuse('locked')

        if data['sheets'][path]['lock'] is None:
            return refuse('not locked')
        data['sheets'][path]['lock'] = None

        # Save the chest
        if not os.path.exists(folder):
            os.makedirs(folder)
        with open(os.path.join(folder, 'chest.json.tmp'), 'w', encoding='utf-8') as f:
            json.dump(data, f)
        os.replace(os.path.join(folder, 'chest.json.tmp'), os.path.join(folder, 'chest.json'))
        return 'unlocked: 1\n'
    elif command == 'journal':
        result = ''
        number = 0
        for line in data['journal']:
            number = number + 1
            result = result + str(number) + ' ' + line + '\n'
        return result
    return ''


def write_journal(folder, command, argument, line):
    """Write a line of the journal."""
    data = {'sheets': {}, 'journal': []}
    if os.path.exists(os.path.join(folder, 'chest.json')):
        with open(os.path.join(folder, 'chest.json'), 'r', encoding='utf-8') as f:
            data = json.load(f)
    key = os.environ.get('CHEST_KEY', '')
    if key != '':
        argument = argument.replace(key, '***')
    word = os.environ.get('CHEST_WORD', '')
    if word != '':
        argument = argument.replace(word, '***')
    if len(argument) > 80:
        argument = argument[:80]
    escaped = ''
    for ch in argument:
        if ch == '\\':
            escaped = escaped + '\\u{5c}'
        elif ord(ch) < 32 or ord(ch) > 126:
            escaped = escaped + '\\u{' + hex(ord(ch))[2:] + '}'
        else:
            escaped = escaped + ch
    data['journal'].append(command + ' ' + escaped + ': ' + line)
    # Save the chest
    if not os.path.exists(folder):
        os.makedirs(folder)
    with open(os.path.join(folder, 'chest.json.tmp'), 'w', encoding='utf-8') as f:
        json.dump(data, f)
    os.replace(os.path.join(folder, 'chest.json.tmp'), os.path.join(folder, 'chest.json'))


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
        elif args[1] == 'fill' and len(args) == 5:
            usage = False
        elif args[1] == 'print' and len(args) == 4:
            usage = False
        elif args[1] == 'find' and len(args) == 3:
            usage = False
        elif args[1] == 'seal' and len(args) == 3:
            usage = False
        elif args[1] == 'lock' and len(args) == 3:
            usage = False
        elif args[1] == 'unlock' and len(args) == 3:
            usage = False
        elif args[1] == 'journal' and len(args) == 2:
            usage = False
    if usage == True:
        sys.stderr.write('usage: chest.py DIR COMMAND [ARGUMENT ...]\n')
        sys.exit(2)
    output = run(args)
    if args[1] == 'take' or args[1] == 'drop' or args[1] == 'lock' or args[1] == 'unlock':
        if REASON is not None:
            write_journal(args[0], args[1], args[2], 'refused: ' + REASON)
        else:
            write_journal(args[0], args[1], args[2], output.rstrip('\n'))
    if REASON is not None:
        sys.stderr.write('refused: ' + REASON + '\n')
        sys.exit(1)
    if isinstance(output, bytes):
        sys.stdout.buffer.write(output)
    else:
        sys.stdout.buffer.write(output.encode('utf-8'))


if __name__ == '__main__':
    main()
