#!/usr/bin/env python3
"""
Enquiry - forms and replies of an office.

This module implements the HTTP server, the validation and the persistence.
"""
import argparse
import copy
import json
import os
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import urlparse, unquote

# Global state
DATA = {
    'forms': {},
    'form_order': [],
    'replies': {},
    'next_reply': 1,
}
DATA_FILE = None
LOCK = threading.Lock()

NAME_FIRST = 'abcdefghijklmnopqrstuvwxyz'
NAME_CHARS = 'abcdefghijklmnopqrstuvwxyz0123456789_'


class ApiError(Exception):
    """Custom exception for API errors."""

    def __init__(self, status, body, allow=None):
        self.status = status
        self.body = body
        self.allow = allow


def load_data(directory):
    """Load the data from disk."""
    global DATA, DATA_FILE
    # Create the directory if it does not exist
    if not os.path.exists(directory):
        os.makedirs(directory)
    DATA_FILE = os.path.join(directory, 'data.json')
    # Load the data if the file exists
    if os.path.exists(DATA_FILE):
        with open(DATA_FILE, 'r', encoding='utf-8') as f:
            DATA = json.load(f)


def save_data():
    """Save the data to disk."""
    tmp_file = DATA_FILE + '.tmp'
    with open(tmp_file, 'w', encoding='utf-8') as f:
        json.dump(DATA, f)
    os.replace(tmp_file, DATA_FILE)


def is_number(value):
    """Check if the value is a whole number."""
    if isinstance(value, bool):
        return False
    if isinstance(value, int):
        return True
    return False


def is_line(value):
    """Check if the value is a valid line."""
    if not isinstance(value, str):
        return False
    if len(value) < 1:
        return False
    if len(value) > 80:
        return False
    for ch in value:
        if ord(ch) < 32 or ord(ch) == 127:
            return False
    if value[0] == ' ' or value[-1] == ' ':
        return False
    return True


def is_name(value):
    """Check if the value is a valid name."""
    if not isinstance(value, str):
        return False
    if len(value) < 1:
        return False
    if len(value) > 20:
        return False
    if value[0] not in NAME_FIRST:
        return False
    for ch in value:
        if ch not in NAME_CHARS:
            return False
    return True


def bad_input(at):
    """Create a bad input error."""
    return ApiError(422, {'error': 'bad-input', 'at': at})


def condition_ok(cond, level):
    """Check the form of a condition."""
    if level > 5:
        return False
    if not isinstance(cond, dict):
        return False
    if 'all' in cond or 'any' in cond:
        if len(cond) != 1:
            return False
        if 'all' in cond:
            parts = cond['all']
        else:
            parts = cond['any']
        if not isinstance(parts, list):
            return False
        if len(parts) < 1 or len(parts) > 10:
            return False
        for part in parts:
            if not condition_ok(part, level + 1):
                return False
        return True
    if 'not' in cond:
        if len(cond) != 1:
            return False
        return condition_ok(cond['not'], level + 1)
    if len(cond) != 2:
        return False
    if 'question' not in cond or not is_name(cond['question']):
        return False
    if 'is' in cond:
        if isinstance(cond['is'], str) or isinstance(cond['is'], bool) or is_number(cond['is']):
            return True
        return False
    if 'in' in cond:
        if not isinstance(cond['in'], list):
            return False
        if len(cond['in']) < 1 or len(cond['in']) > 20:
            return False
        for value in cond['in']:
            if isinstance(value, str) or isinstance(value, bool) or is_number(value):
                continue
            return False
        return True
    if 'over' in cond:
        return is_number(cond['over'])
    if 'under' in cond:
        return is_number(cond['under'])
    if 'given' in cond:
        return isinstance(cond['given'], bool)
    return False


def condition_names(cond):
    """Get the names of all questions in a condition."""
    result = []
    if 'all' in cond:
        for part in cond['all']:
            result = result + condition_names(part)
    elif 'any' in cond:
        for part in cond['any']:
            result = result + condition_names(part)
    elif 'not' in cond:
        result = result + condition_names(cond['not'])
    else:
        result.append(cond['question'])
    return result


def condition_holds(cond, known):
    """Check if a condition holds."""
    if 'all' in cond:
        for part in cond['all']:
            if not condition_holds(part, known):
                return False
        return True
    elif 'any' in cond:
        for part in cond['any']:
            if condition_holds(part, known):
                return True
        return False
    elif 'not' in cond:
        if condition_holds(cond['not'], known):
            return False
        return True
    elif 'given' in cond:
        if cond['given'] == True:
            return cond['question'] in known
        return cond['question'] not in known
    if cond['question'] not in known:
        return False
    value = known[cond['question']]
    if 'is' in cond:
        if isinstance(value, bool) or isinstance(cond['is'], bool):
            return isinstance(value, bool) and isinstance(cond['is'], bool) and value == cond['is']
        return value == cond['is']
    elif 'in' in cond:
        for wanted in cond['in']:
            if isinstance(value, bool) or isinstance(wanted, bool):
                if isinstance(value, bool) and isinstance(wanted, bool) and value == wanted:
                    return True
            elif value == wanted:
                return True
        return False
    elif 'over' in cond:
        if not is_number(value):
            return False
        return value > cond['over']
    elif 'under' in cond:
        if not is_number(value):
            return False
        return value < cond['under']
    return False


def find_wrong_condition(questions):
    """Find the first condition that names a question that does not stand before."""
    before = []
    for i in range(len(questions)):
        q = questions[i]
        if 'when' in q:
            for name in condition_names(q['when']):
                if name not in before:
                    return 'questions[' + str(i) + '].when'
        if q['kind'] == 'group':
            sbefore = list(before)
            for k in range(len(q['questions'])):
                sq = q['questions'][k]
                if 'when' in sq:
                    for name in condition_names(sq['when']):
                        if name not in sbefore:
                            return 'questions[' + str(i) + '].questions[' + str(k) + '].when'
                sbefore.append(sq['id'])
        before.append(q['id'])
    return None


def find_draft_fault(questions):
    """Find the first thing that is wrong with a draft."""
    if len(questions) < 1 or len(questions) > 40:
        return 'questions'
    before = []
    for i in range(len(questions)):
        q = questions[i]
        if 'when' in q:
            for name in condition_names(q['when']):
                if name not in before:
                    return 'questions[' + str(i) + '].when'
        if q['kind'] == 'group':
            if len(q['questions']) < 1 or len(q['questions']) > 20:
                return 'questions[' + str(i) + '].questions'
            sbefore = list(before)
            for k in range(len(q['questions'])):
                sq = q['questions'][k]
                if 'when' in sq:
                    for name in condition_names(sq['when']):
                        if name not in sbefore:
                            return 'questions[' + str(i) + '].questions[' + str(k) + '].when'
                sbefore.append(sq['id'])
        before.append(q['id'])
    return None


def validate_form(body):
    """Validate the fields of a form."""
    # Validate form id
    if 'id' not in body or not is_name(body['id']):
        raise bad_input('id')
    # Validate title
    if 'title' not in body or not is_line(body['title']):
        raise bad_input('title')
    # Validate questions
    if 'questions' not in body or not isinstance(body['questions'], list):
        raise bad_input('questions')
    if len(body['questions']) < 1 or len(body['questions']) > 40:
        raise bad_input('questions')
    for i in range(len(body['questions'])):
        q = body['questions'][i]
        path = 'questions[' + str(i) + ']'
        if not isinstance(q, dict):
            raise bad_input(path)
        # Validate id
        if 'id' not in q or not is_name(q['id']):
            raise bad_input(path + '.id')
        # Validate kind
        if 'kind' not in q:
            raise bad_input(path + '.kind')
        if not isinstance(q['kind'], str) or q['kind'] not in ['text', 'number', 'choice', 'flag', 'group']:
            raise bad_input(path + '.kind')
        # Validate label
        if 'label' not in q or not is_line(q['label']):
            raise bad_input(path + '.label')
        # Validate needed
        if 'needed' in q:
            if q['needed'] != True and q['needed'] != False or not isinstance(q['needed'], bool):
                raise bad_input(path + '.needed')
        else:
            q['needed'] = False
        allowed = ['id', 'kind', 'label', 'needed']
        if q['kind'] == 'text':
            allowed = ['id', 'kind', 'label', 'needed', 'longest']
            if 'longest' in q:
                if not is_number(q['longest']):
                    raise bad_input(path + '.longest')
                if q['longest'] < 1 or q['longest'] > 500:
                    raise bad_input(path + '.longest')
            else:
                q['longest'] = 200
        elif q['kind'] == 'number':
            allowed = ['id', 'kind', 'label', 'needed', 'least', 'most']
            if 'least' in q:
                if not is_number(q['least']):
                    raise bad_input(path + '.least')
                if q['least'] < -1000000 or q['least'] > 1000000:
                    raise bad_input(path + '.least')
            if 'most' in q:
                if not is_number(q['most']):
                    raise bad_input(path + '.most')
                if q['most'] < -1000000 or q['most'] > 1000000:
                    raise bad_input(path + '.most')
                if 'least' in q and q['most'] < q['least']:
                    raise bad_input(path + '.most')
        elif q['kind'] == 'choice':
            allowed = ['id', 'kind', 'label', 'needed', 'options']
            if 'options' not in q or not isinstance(q['options'], list):
                raise bad_input(path + '.options')
            if len(q['options']) < 1 or len(q['options']) > 12:
                raise bad_input(path + '.options')
            for j in range(len(q['options'])):
                if not is_line(q['options'][j]):
                    raise bad_input(path + '.options[' + str(j) + ']')
            for j in range(len(q['options'])):
                if q['options'][j] in q['options'][:j]:
                    raise bad_input(path + '.options[' + str(j) + ']')
        elif q['kind'] == 'group':
            allowed = ['id', 'kind', 'label', 'needed', 'fewest', 'most', 'questions']
            if 'fewest' in q:
                if not is_number(q['fewest']):
                    raise bad_input(path + '.fewest')
                if q['fewest'] < 0 or q['fewest'] > 20:
                    raise bad_input(path + '.fewest')
            else:
                q['fewest'] = 0
            if 'most' in q:
                if not is_number(q['most']):
                    raise bad_input(path + '.most')
                if q['most'] < 1 or q['most'] > 20:
                    raise bad_input(path + '.most')
            else:
                q['most'] = 20
            if q['most'] < q['fewest']:
                raise bad_input(path + '.most')
            if 'questions' not in q or not isinstance(q['questions'], list):
                raise bad_input(path + '.questions')
            if len(q['questions']) < 1 or len(q['questions']) > 20:
                raise bad_input(path + '.questions')
            for k in range(len(q['questions'])):
                sq = q['questions'][k]
                spath = path + '.questions[' + str(k) + ']'
                if not isinstance(sq, dict):
                    raise bad_input(spath)
                # Validate id
                if 'id' not in sq or not is_name(sq['id']):
                    raise bad_input(spath + '.id')
                # Validate kind
                if 'kind' not in sq:
                    raise bad_input(spath + '.kind')
                if not isinstance(sq['kind'], str) or sq['kind'] not in ['text', 'number', 'choice', 'flag']:
                    raise bad_input(spath + '.kind')
                # Validate label
                if 'label' not in sq or not is_line(sq['label']):
                    raise bad_input(spath + '.label')
                # Validate needed
                if 'needed' in sq:
                    if sq['needed'] != True and sq['needed'] != False or not isinstance(sq['needed'], bool):
                        raise bad_input(spath + '.needed')
                else:
                    sq['needed'] = False
                sallowed = ['id', 'kind', 'label', 'needed']
                if sq['kind'] == 'text':
                    sallowed = ['id', 'kind', 'label', 'needed', 'longest']
                    if 'longest' in sq:
                        if not is_number(sq['longest']):
                            raise bad_input(spath + '.longest')
                        if sq['longest'] < 1 or sq['longest'] > 500:
                            raise bad_input(spath + '.longest')
                    else:
                        sq['longest'] = 200
                elif sq['kind'] == 'number':
                    sallowed = ['id', 'kind', 'label', 'needed', 'least', 'most']
                    if 'least' in sq:
                        if not is_number(sq['least']):
                            raise bad_input(spath + '.least')
                        if sq['least'] < -1000000 or sq['least'] > 1000000:
                            raise bad_input(spath + '.least')
                    if 'most' in sq:
                        if not is_number(sq['most']):
                            raise bad_input(spath + '.most')
                        if sq['most'] < -1000000 or sq['most'] > 1000000:
                            raise bad_input(spath + '.most')
                        if 'least' in sq and sq['most'] < sq['least']:
                            raise bad_input(spath + '.most')
                elif sq['kind'] == 'choice':
                    sallowed = ['id', 'kind', 'label', 'needed', 'options']
                    if 'options' not in sq or not isinstance(sq['options'], list):
                        raise bad_input(spath + '.options')
                    if len(sq['options']) < 1 or len(sq['options']) > 12:
                        raise bad_input(spath + '.options')
                    for j in range(len(sq['options'])):
                        if not is_line(sq['options'][j]):
                            raise bad_input(spath + '.options[' + str(j) + ']')
                    for j in range(len(sq['options'])):
                        if sq['options'][j] in sq['options'][:j]:
                            raise bad_input(spath + '.options[' + str(j) + ']')
                if 'when' in sq:
                    if not condition_ok(sq['when'], 1):
                        raise bad_input(spath + '.when')
                sallowed = sallowed + ['when']
                # Check for unknown fields
                for key in sorted(sq.keys()):
                    if key not in sallowed:
                        raise bad_input(spath + '.' + key)
        if 'when' in q:
            if not condition_ok(q['when'], 1):
                raise bad_input(path + '.when')
        allowed = allowed + ['when']
        # Check for unknown fields
        for key in sorted(q.keys()):
            if key not in allowed:
                raise bad_input(path + '.' + key)
    # Check for unknown fields of the form
    for key in sorted(body.keys()):
        if key not in ['id', 'title', 'questions']:
            raise bad_input(key)
    # Check for repeated ids
    seen = []
    for i in range(len(body['questions'])):
        if body['questions'][i]['id'] in seen:
            raise bad_input('questions[' + str(i) + '].id')
        seen.append(body['questions'][i]['id'])
        if body['questions'][i]['kind'] == 'group':
            for k in range(len(body['questions'][i]['questions'])):
                if body['questions'][i]['questions'][k]['id'] in seen:
                    raise bad_input('questions[' + str(i) + '].questions[' + str(k) + '].id')
                seen.append(body['questions'][i]['questions'][k]['id'])
    # Check the conditions
    wrong = find_wrong_condition(body['questions'])
    if wrong is not None:
        raise bad_input(wrong)


def validate_edits(body):
    """Validate the fields of an edits request."""
    # Validate revision
    if 'revision' not in body or not is_number(body['revision']):
        raise bad_input('revision')
    if body['revision'] < 0 or body['revision'] > 1000000:
        raise bad_input('revision')
    # Validate edits
    if 'edits' not in body or not isinstance(body['edits'], list):
        raise bad_input('edits')
    if len(body['edits']) < 1 or len(body['edits']) > 50:
        raise bad_input('edits')
    for i in range(len(body['edits'])):
        edit = body['edits'][i]
        epath = 'edits[' + str(i) + ']'
        if not isinstance(edit, dict):
            raise bad_input(epath)
        if 'do' not in edit or not isinstance(edit['do'], str):
            raise bad_input(epath + '.do')
        if edit['do'] == 'title':
            if 'title' not in edit or not is_line(edit['title']):
                raise bad_input(epath + '.title')
            for key in sorted(edit.keys()):
                if key not in ['do', 'title']:
                    raise bad_input(epath + '.' + key)
        elif edit['do'] == 'add':
            if 'question' not in edit or not isinstance(edit['question'], dict):
                raise bad_input(epath + '.question')
            nq = edit['question']
            path = epath + '.question'
            # Validate id
            if 'id' not in nq or not is_name(nq['id']):
                raise bad_input(path + '.id')
            # Validate kind
            if 'kind' not in nq:
                raise bad_input(path + '.kind')
            if not isinstance(nq['kind'], str) or nq['kind'] not in ['text', 'number', 'choice', 'flag', 'group']:
                raise bad_input(path + '.kind')
            # Validate label
            if 'label' not in nq or not is_line(nq['label']):
                raise bad_input(path + '.label')
            # Validate needed
            if 'needed' in nq:
                if nq['needed'] != True and nq['needed'] != False or not isinstance(nq['needed'], bool):
                    raise bad_input(path + '.needed')
            else:
                nq['needed'] = False
            allowed = ['id', 'kind', 'label', 'needed']
            if nq['kind'] == 'text':
                allowed = ['id', 'kind', 'label', 'needed', 'longest']
                if 'longest' in nq:
                    if not is_number(nq['longest']):
                        raise bad_input(path + '.longest')
                    if nq['longest'] < 1 or nq['longest'] > 500:
                        raise bad_input(path + '.longest')
                else:
                    nq['longest'] = 200
            elif nq['kind'] == 'number':
                allowed = ['id', 'kind', 'label', 'needed', 'least', 'most']
                if 'least' in nq:
                    if not is_number(nq['least']):
                        raise bad_input(path + '.least')
                    if nq['least'] < -1000000 or nq['least'] > 1000000:
                        raise bad_input(path + '.least')
                if 'most' in nq:
                    if not is_number(nq['most']):
                        raise bad_input(path + '.most')
                    if nq['most'] < -1000000 or nq['most'] > 1000000:
                        raise bad_input(path + '.most')
                    if 'least' in nq and nq['most'] < nq['least']:
                        raise bad_input(path + '.most')
            elif nq['kind'] == 'choice':
                allowed = ['id', 'kind', 'label', 'needed', 'options']
                if 'options' not in nq or not isinstance(nq['options'], list):
                    raise bad_input(path + '.options')
                if len(nq['options']) < 1 or len(nq['options']) > 12:
                    raise bad_input(path + '.options')
                for j in range(len(nq['options'])):
                    if not is_line(nq['options'][j]):
                        raise bad_input(path + '.options[' + str(j) + ']')
                for j in range(len(nq['options'])):
                    if nq['options'][j] in nq['options'][:j]:
                        raise bad_input(path + '.options[' + str(j) + ']')
            elif nq['kind'] == 'group':
                allowed = ['id', 'kind', 'label', 'needed', 'fewest', 'most', 'questions']
                if 'fewest' in nq:
                    if not is_number(nq['fewest']):
                        raise bad_input(path + '.fewest')
                    if nq['fewest'] < 0 or nq['fewest'] > 20:
                        raise bad_input(path + '.fewest')
                else:
                    nq['fewest'] = 0
                if 'most' in nq:
                    if not is_number(nq['most']):
                        raise bad_input(path + '.most')
                    if nq['most'] < 1 or nq['most'] > 20:
                        raise bad_input(path + '.most')
                else:
                    nq['most'] = 20
                if nq['most'] < nq['fewest']:
                    raise bad_input(path + '.most')
                if 'questions' not in nq or not isinstance(nq['questions'], list):
                    raise bad_input(path + '.questions')
                if len(nq['questions']) < 1 or len(nq['questions']) > 20:
                    raise bad_input(path + '.questions')
                for k in range(len(nq['questions'])):
                    sq = nq['questions'][k]
                    spath = path + '.questions[' + str(k) + ']'
                    if not isinstance(sq, dict):
                        raise bad_input(spath)
                    # Validate id
                    if 'id' not in sq or not is_name(sq['id']):
                        raise bad_input(spath + '.id')
                    # Validate kind
                    if 'kind' not in sq:
                        raise bad_input(spath + '.kind')
                    if not isinstance(sq['kind'], str) or sq['kind'] not in ['text', 'number', 'choice', 'flag']:
                        raise bad_input(spath + '.kind')
                    # Validate label
                    if 'label' not in sq or not is_line(sq['label']):
                        raise bad_input(spath + '.label')
                    # Validate needed
                    if 'needed' in sq:
                        if sq['needed'] != True and sq['needed'] != False or not isinstance(sq['needed'], bool):
                            raise bad_input(spath + '.needed')
                    else:
                        sq['needed'] = False
                    sallowed = ['id', 'kind', 'label', 'needed']
                    if sq['kind'] == 'text':
                        sallowed = ['id', 'kind', 'label', 'needed', 'longest']
                        if 'longest' in sq:
                            if not is_number(sq['longest']):
                                raise bad_input(spath + '.longest')
                            if sq['longest'] < 1 or sq['longest'] > 500:
                                raise bad_input(spath + '.longest')
                        else:
                            sq['longest'] = 200
                    elif sq['kind'] == 'number':
                        sallowed = ['id', 'kind', 'label', 'needed', 'least', 'most']
                        if 'least' in sq:
                            if not is_number(sq['least']):
                                raise bad_input(spath + '.least')
                            if sq['least'] < -1000000 or sq['least'] > 1000000:
                                raise bad_input(spath + '.least')
                        if 'most' in sq:
                            if not is_number(sq['most']):
                                raise bad_input(spath + '.most')
                            if sq['most'] < -1000000 or sq['most'] > 1000000:
                                raise bad_input(spath + '.most')
                            if 'least' in sq and sq['most'] < sq['least']:
                                raise bad_input(spath + '.most')
                    elif sq['kind'] == 'choice':
                        sallowed = ['id', 'kind', 'label', 'needed', 'options']
                        if 'options' not in sq or not isinstance(sq['options'], list):
                            raise bad_input(spath + '.options')
                        if len(sq['options']) < 1 or len(sq['options']) > 12:
                            raise bad_input(spath + '.options')
                        for j in range(len(sq['options'])):
                            if not is_line(sq['options'][j]):
                                raise bad_input(spath + '.options[' + str(j) + ']')
                        for j in range(len(sq['options'])):
                            if sq['options'][j] in sq['options'][:j]:
                                raise bad_input(spath + '.options[' + str(j) + ']')
                    if 'when' in sq:
                        if not condition_ok(sq['when'], 1):
                            raise bad_input(spath + '.when')
                    sallowed = sallowed + ['when']
                    # Check for unknown fields
                    for key in sorted(sq.keys()):
                        if key not in sallowed:
                            raise bad_input(spath + '.' + key)
            if 'when' in nq:
                if not condition_ok(nq['when'], 1):
                    raise bad_input(path + '.when')
            allowed = allowed + ['when']
            # Check for unknown fields
            for key in sorted(nq.keys()):
                if key not in allowed:
                    raise bad_input(path + '.' + key)
            if 'into' in edit and not is_name(edit['into']):
                raise bad_input(epath + '.into')
            if 'before' in edit and not is_name(edit['before']):
                raise bad_input(epath + '.before')
            for key in sorted(edit.keys()):
                if key not in ['do', 'question', 'into', 'before']:
                    raise bad_input(epath + '.' + key)
        elif edit['do'] == 'remove':
            if 'question' not in edit or not is_name(edit['question']):
                raise bad_input(epath + '.question')
            for key in sorted(edit.keys()):
                if key not in ['do', 'question']:
                    raise bad_input(epath + '.' + key)
        elif edit['do'] == 'change':
            if 'question' not in edit or not is_name(edit['question']):
                raise bad_input(epath + '.question')
            if 'set' not in edit or not isinstance(edit['set'], dict):
                raise bad_input(epath + '.set')
            if len(edit['set']) == 0:
                raise bad_input(epath + '.set')
            for key in sorted(edit.keys()):
                if key not in ['do', 'question', 'set']:
                    raise bad_input(epath + '.' + key)
        elif edit['do'] == 'place':
            if 'question' not in edit or not is_name(edit['question']):
                raise bad_input(epath + '.question')
            if 'before' in edit and not is_name(edit['before']):
                raise bad_input(epath + '.before')
            for key in sorted(edit.keys()):
                if key not in ['do', 'question', 'before']:
                    raise bad_input(epath + '.' + key)
        else:
            raise bad_input(epath + '.do')
    # Check for unknown fields
    for key in sorted(body.keys()):
        if key not in ['revision', 'edits']:
            raise bad_input(key)


def question_ok(q):
    """Check if a changed question is right in itself."""
    # Validate id
    if 'id' not in q or not is_name(q['id']):
        return False
    # Validate kind
    if 'kind' not in q:
        return False
    if not isinstance(q['kind'], str) or q['kind'] not in ['text', 'number', 'choice', 'flag', 'group']:
        return False
    # Validate label
    if 'label' not in q or not is_line(q['label']):
        return False
    # Validate needed
    if 'needed' in q:
        if q['needed'] != True and q['needed'] != False or not isinstance(q['needed'], bool):
            return False
    else:
        q['needed'] = False
    allowed = ['id', 'kind', 'label', 'needed']
    if q['kind'] == 'text':
        allowed = ['id', 'kind', 'label', 'needed', 'longest']
        if 'longest' in q:
            if not is_number(q['longest']):
                return False
            if q['longest'] < 1 or q['longest'] > 500:
                return False
        else:
            q['longest'] = 200
    elif q['kind'] == 'number':
        allowed = ['id', 'kind', 'label', 'needed', 'least', 'most']
        if 'least' in q:
            if not is_number(q['least']):
                return False
            if q['least'] < -1000000 or q['least'] > 1000000:
                return False
        if 'most' in q:
            if not is_number(q['most']):
                return False
            if q['most'] < -1000000 or q['most'] > 1000000:
                return False
            if 'least' in q and q['most'] < q['least']:
                return False
    elif q['kind'] == 'choice':
        allowed = ['id', 'kind', 'label', 'needed', 'options']
        if 'options' not in q or not isinstance(q['options'], list):
            return False
        if len(q['options']) < 1 or len(q['options']) > 12:
            return False
        for j in range(len(q['options'])):
            if not is_line(q['options'][j]):
                return False
        for j in range(len(q['options'])):
            if q['options'][j] in q['options'][:j]:
                return False
    elif q['kind'] == 'group':
        allowed = ['id', 'kind', 'label', 'needed', 'fewest', 'most', 'questions']
        if 'fewest' in q:
            if not is_number(q['fewest']):
                return False
            if q['fewest'] < 0 or q['fewest'] > 20:
                return False
        else:
            q['fewest'] = 0
        if 'most' in q:
            if not is_number(q['most']):
                return False
            if q['most'] < 1 or q['most'] > 20:
                return False
        else:
            q['most'] = 20
        if q['most'] < q['fewest']:
            return False
    if 'when' in q:
        if not condition_ok(q['when'], 1):
            return False
    allowed = allowed + ['when']
    # Check for unknown fields
    for key in sorted(q.keys()):
        if key not in allowed:
            return False
    return True


def do_edits(title, questions, edits):
    """Do all edits and return the new title and the new questions."""
    for i in range(len(edits)):
        edit = edits[i]
        if edit['do'] == 'title':
            title = edit['title']
        elif edit['do'] == 'add':
            # Find the list
            target = questions
            if 'into' in edit:
                siblings = None
                position = -1
                for j in range(len(questions)):
                    if questions[j]['id'] == edit['into']:
                        siblings = questions
                        position = j
                    if questions[j]['kind'] == 'group':
                        for m in range(len(questions[j]['questions'])):
                            if questions[j]['questions'][m]['id'] == edit['into']:
                                siblings = questions[j]['questions']
                                position = m
                if position == -1:
                    raise ApiError(409, {'error': 'edit-refused', 'edit': i, 'why': 'no-such-question'})
                target = None
                if siblings[position]['kind'] == 'group':
                    target = siblings[position]['questions']
            # Find the position
            before_list = target
            before = -1
            if 'before' in edit:
                before_list = None
                before = -1
                for j in range(len(questions)):
                    if questions[j]['id'] == edit['before']:
                        before_list = questions
                        before = j
                    if questions[j]['kind'] == 'group':
                        for m in range(len(questions[j]['questions'])):
                            if questions[j]['questions'][m]['id'] == edit['before']:
                                before_list = questions[j]['questions']
                                before = m
                if before == -1:
                    raise ApiError(409, {'error': 'edit-refused', 'edit': i, 'why': 'no-such-question'})
            # Check the ids
            ids = []
            for q in questions:
                ids.append(q['id'])
                if q['kind'] == 'group':
                    for sq in q['questions']:
                        ids.append(sq['id'])
            if edit['question']['id'] in ids:
                raise ApiError(409, {'error': 'edit-refused', 'edit': i, 'why': 'question-exists'})
            if edit['question']['kind'] == 'group':
                ids.append(edit['question']['id'])
                for sq in edit['question']['questions']:
                    if sq['id'] in ids:
                        raise ApiError(409, {'error': 'edit-refused', 'edit': i, 'why': 'question-exists'})
                    ids.append(sq['id'])
            if target is None:
                raise ApiError(409, {'error': 'edit-refused', 'edit': i, 'why': 'elsewhere'})
            if edit['question']['kind'] == 'group' and 'into' in edit:
                raise ApiError(409, {'error': 'edit-refused', 'edit': i, 'why': 'elsewhere'})
            if before_list is not target:
                raise ApiError(409, {'error': 'edit-refused', 'edit': i, 'why': 'elsewhere'})
            if before == -1:
                target.append(copy.deepcopy(edit['question']))
            else:
                target.insert(before, copy.deepcopy(edit['question']))
        elif edit['do'] == 'remove':
            siblings = None
            position = -1
            for j in range(len(questions)):
                if questions[j]['id'] == edit['question']:
                    siblings = questions
                    position = j
                if questions[j]['kind'] == 'group':
                    for m in range(len(questions[j]['questions'])):
                        if questions[j]['questions'][m]['id'] == edit['question']:
                            siblings = questions[j]['questions']
                            position = m
            if position == -1:
                raise ApiError(409, {'error': 'edit-refused', 'edit': i, 'why': 'no-such-question'})
            siblings.pop(position)
        elif edit['do'] == 'change':
            siblings = None
            position = -1
            for j in range(len(questions)):
                if questions[j]['id'] == edit['question']:
                    siblings = questions
                    position = j
                if questions[j]['kind'] == 'group':
                    for m in range(len(questions[j]['questions'])):
                        if questions[j]['questions'][m]['id'] == edit['question']:
                            siblings = questions[j]['questions']
                            position = m
            if position == -1:
                raise ApiError(409, {'error': 'edit-refused', 'edit': i, 'why': 'no-such-question'})
            if 'id' in edit['set'] or 'kind' in edit['set'] or 'questions' in edit['set']:
                raise ApiError(409, {'error': 'edit-refused', 'edit': i, 'why': 'bad-question'})
            changed = copy.deepcopy(siblings[position])
            for key in edit['set']:
                if changed['kind'] == 'number' and key == 'least' and edit['set'][key] is None:
                    if 'least' in changed:
                        del changed['least']
                elif changed['kind'] == 'number' and key == 'most' and edit['set'][key] is None:
                    if 'most' in changed:
                        del changed['most']
                elif key == 'when' and edit['set'][key] is None:
                    if 'when' in changed:
                        del changed['when']
                else:
                    changed[key] = copy.deepcopy(edit['set'][key])
            if not question_ok(changed):
                raise ApiError(409, {'error': 'edit-refused', 'edit': i, 'why': 'bad-question'})
            siblings[position] = changed
        elif edit['do'] == 'place':
            siblings = None
            position = -1
            for j in range(len(questions)):
                if questions[j]['id'] == edit['question']:
                    siblings = questions
                    position = j
                if questions[j]['kind'] == 'group':
                    for m in range(len(questions[j]['questions'])):
                        if questions[j]['questions'][m]['id'] == edit['question']:
                            siblings = questions[j]['questions']
                            position = m
            if position == -1:
                raise ApiError(409, {'error': 'edit-refused', 'edit': i, 'why': 'no-such-question'})
            if 'before' in edit:
                before_list = None
                before = -1
                for j in range(len(questions)):
                    if questions[j]['id'] == edit['before']:
                        before_list = questions
                        before = j
                    if questions[j]['kind'] == 'group':
                        for m in range(len(questions[j]['questions'])):
                            if questions[j]['questions'][m]['id'] == edit['before']:
                                before_list = questions[j]['questions']
                                before = m
                if before == -1:
                    raise ApiError(409, {'error': 'edit-refused', 'edit': i, 'why': 'no-such-question'})
                if before_list is not siblings:
                    raise ApiError(409, {'error': 'edit-refused', 'edit': i, 'why': 'elsewhere'})
                if edit['before'] != edit['question']:
                    q = siblings.pop(position)
                    before = -1
                    for j in range(len(siblings)):
                        if siblings[j]['id'] == edit['before']:
                            before = j
                    siblings.insert(before, q)
            else:
                q = siblings.pop(position)
                siblings.append(q)
    wrong = find_draft_fault(questions)
    if wrong is not None:
        raise ApiError(409, {'error': 'draft-wrong', 'at': wrong})
    return title, questions


def check_all(questions, answers):
    """Check all answers of a reply."""
    faults = []
    notasked = []
    missing = []
    asked = {}
    known = {}
    ids = []
    for q in questions:
        ids.append(q['id'])
    for key in answers:
        if key not in ids:
            faults.append({'at': key, 'fault': 'unknown'})
    for q in questions:
        value = answers.get(q['id'])
        at = q['id']
        given = True
        if value is None or value == '':
            given = False
        if q['kind'] == 'group' and value == []:
            given = False
        if 'when' in q:
            if not condition_holds(q['when'], known):
                if given == True:
                    notasked.append(at)
                continue
        if given == False:
            if q['needed'] == True:
                missing.append(at)
            continue
        count = len(faults)
        if q['kind'] == 'group':
            if not isinstance(value, list):
                faults.append({'at': at, 'fault': 'wrong-kind'})
                continue
            for entry in value:
                if not isinstance(entry, dict):
                    faults.append({'at': at, 'fault': 'wrong-kind'})
                    break
            if len(faults) > count:
                continue
            if len(value) < q['fewest']:
                faults.append({'at': at, 'fault': 'too-few'})
                continue
            if len(value) > q['most']:
                faults.append({'at': at, 'fault': 'too-many'})
                continue
            entries = []
            for n in range(len(value)):
                entry = value[n]
                entry_at = at + '[' + str(n) + ']'
                entry_asked = {}
                entry_known = dict(known)
                ids = []
                for sq in q['questions']:
                    ids.append(sq['id'])
                for key in entry:
                    if key not in ids:
                        faults.append({'at': entry_at + '.' + key, 'fault': 'unknown'})
                for sq in q['questions']:
                    svalue = entry.get(sq['id'])
                    sat = entry_at + '.' + sq['id']
                    given = True
                    if svalue is None or svalue == '':
                        given = False
                    if sq['kind'] == 'group' and svalue == []:
                        given = False
                    if 'when' in sq:
                        if not condition_holds(sq['when'], entry_known):
                            if given == True:
                                notasked.append(sat)
                            continue
                    if given == False:
                        if sq['needed'] == True:
                            missing.append(sat)
                        continue
                    scount = len(faults)
                    if sq['kind'] == 'text':
                        if not isinstance(svalue, str):
                            faults.append({'at': sat, 'fault': 'wrong-kind'})
                        elif len(svalue) > sq['longest']:
                            faults.append({'at': sat, 'fault': 'too-long'})
                    elif sq['kind'] == 'number':
                        if not is_number(svalue):
                            faults.append({'at': sat, 'fault': 'wrong-kind'})
                        elif 'least' in sq and svalue < sq['least']:
                            faults.append({'at': sat, 'fault': 'too-small'})
                        elif 'most' in sq and svalue > sq['most']:
                            faults.append({'at': sat, 'fault': 'too-large'})
                    elif sq['kind'] == 'choice':
                        if not isinstance(svalue, str):
                            faults.append({'at': sat, 'fault': 'wrong-kind'})
                        elif svalue not in sq['options']:
                            faults.append({'at': sat, 'fault': 'not-an-option'})
                    elif sq['kind'] == 'flag':
                        if not isinstance(svalue, bool):
                            faults.append({'at': sat, 'fault': 'wrong-kind'})
                    if len(faults) > scount:
                        continue
                    entry_asked[sq['id']] = svalue
                    entry_known[sq['id']] = svalue
                entries.append(entry_asked)
            asked[q['id']] = entries
            known[q['id']] = len(value)
            continue
        if q['kind'] == 'text':
            if not isinstance(value, str):
                faults.append({'at': at, 'fault': 'wrong-kind'})
            elif len(value) > q['longest']:
                faults.append({'at': at, 'fault': 'too-long'})
        elif q['kind'] == 'number':
            if not is_number(value):
                faults.append({'at': at, 'fault': 'wrong-kind'})
            elif 'least' in q and value < q['least']:
                faults.append({'at': at, 'fault': 'too-small'})
            elif 'most' in q and value > q['most']:
                faults.append({'at': at, 'fault': 'too-large'})
        elif q['kind'] == 'choice':
            if not isinstance(value, str):
                faults.append({'at': at, 'fault': 'wrong-kind'})
            elif value not in q['options']:
                faults.append({'at': at, 'fault': 'not-an-option'})
        elif q['kind'] == 'flag':
            if not isinstance(value, bool):
                faults.append({'at': at, 'fault': 'wrong-kind'})
        if len(faults) > count:
            continue
        asked[q['id']] = value
        known[q['id']] = value
    return {'asked': asked, 'faults': faults, 'notasked': notasked, 'missing': missing}


def remove_empty(questions, answers):
    """Remove the answers that count as none."""
    kept = {}
    for q in questions:
        if q['id'] not in answers:
            continue
        value = answers[q['id']]
        if value is None or value == '':
            continue
        if q['kind'] == 'group':
            if value == []:
                continue
            entries = []
            for entry in value:
                kept_entry = {}
                for sq in q['questions']:
                    if sq['id'] in entry:
                        if entry[sq['id']] is not None and entry[sq['id']] != '':
                            kept_entry[sq['id']] = entry[sq['id']]
                entries.append(kept_entry)
            kept[q['id']] = entries
        else:
            kept[q['id']] = value
    return kept


def parse_query(query):
    """Parse the query string into a list of pairs."""
    pairs = []
    if not query:
        return pairs
    for part in query.split('&'):
        if part == '':
            continue
        if '=' in part:
            name, value = part.split('=', 1)
        else:
            name = part
            value = ''
        pairs.append((unquote(name), unquote(value)))
    return pairs


def form_to_json(form):
    """Convert a form to its JSON representation."""
    latest = form['editions'][len(form['editions']) - 1]
    result = {}
    result['id'] = form['id']
    result['edition'] = len(form['editions'])
    result['title'] = latest['title']
    result['state'] = form['state']
    result['questions'] = latest['questions']
    count = 0
    for reply in DATA['replies'].values():
        if reply['form'] == form['id']:
            if reply['state'] == 'sent':
                count = count + 1
    result['replies'] = count
    return result


def form_to_list_json(form):
    """Convert a form to its JSON representation in the list."""
    latest = form['editions'][len(form['editions']) - 1]
    result = {}
    result['id'] = form['id']
    result['edition'] = len(form['editions'])
    result['title'] = latest['title']
    result['state'] = form['state']
    count = 0
    for reply in DATA['replies'].values():
        if reply['form'] == form['id']:
            if reply['state'] == 'sent':
                count = count + 1
    result['replies'] = count
    return result


def edition_to_json(form, number):
    """Convert an edition to its JSON representation."""
    result = {}
    result['form'] = form['id']
    result['edition'] = number
    result['title'] = form['editions'][number - 1]['title']
    result['questions'] = form['editions'][number - 1]['questions']
    return result


def draft_to_json(form):
    """Convert the draft to its JSON representation."""
    result = {}
    result['form'] = form['id']
    result['revision'] = form['revision']
    result['title'] = form['draft']['title']
    result['questions'] = form['draft']['questions']
    return result


def reply_to_json(reply):
    """Convert a reply to its JSON representation."""
    result = {}
    result['id'] = reply['id']
    result['form'] = reply['form']
    result['by'] = reply['by']
    result['edition'] = reply['edition']
    result['state'] = reply['state']
    result['answers'] = reply['answers']
    if reply['state'] == 'begun':
        edition = DATA['forms'][reply['form']]['editions'][reply['edition'] - 1]
        checked = check_all(edition['questions'], reply['answers'])
        result['answers'] = checked['asked']
        result['open'] = checked['missing']
    return result


class Handler(BaseHTTPRequestHandler):
    """Request handler."""
    protocol_version = 'HTTP/1.1'
    wbufsize = -1

    def log_message(self, format, *args):
        pass

    def send_json(self, status, body, location=None, allow=None):
        """Send a JSON response."""
        data = json.dumps(body).encode('utf-8')
        self.send_response(status)
        self.send_header('Content-Type', 'application/json')
        self.send_header('Content-Length', str(len(data)))
        if location is not None:
            self.send_header('Location', location)
        if allow is not None:
            self.send_header('Allow', allow)
        self.end_headers()
        self.wfile.write(data)

    def read_raw(self):
        """Read the raw request body."""
        length = self.headers.get('Content-Length')
        if length is None:
            return b''
        return self.rfile.read(int(length))

    def parse_body(self, raw):
        """Parse the request body."""
        try:
            body = json.loads(raw.decode('utf-8'))
        except Exception:
            raise ApiError(400, {'error': 'not-json'})
        if not isinstance(body, dict):
            raise ApiError(400, {'error': 'not-json'})
        return body

    def no_params(self, query):
        """Check that there are no query parameters."""
        for name, value in parse_query(query):
            raise bad_input(name)

    def wrong_method(self, allow):
        """Create a wrong method error."""
        return ApiError(405, {'error': 'wrong-method'}, allow)

    def do_GET(self):
        self.handle_request('GET')

    def do_POST(self):
        self.handle_request('POST')

    def do_PUT(self):
        self.handle_request('PUT')

    def do_DELETE(self):
        self.handle_request('DELETE')

    def do_PATCH(self):
        self.handle_request('PATCH')

    def handle_request(self, method):
        """Handle a request."""
        raw = self.read_raw()
        url = urlparse(self.path)
        parts = url.path.split('/')[1:]
        with LOCK:
            try:
                self.route(method, parts, url.query, raw)
            except ApiError as e:
                self.send_json(e.status, e.body, None, e.allow)

    def route(self, method, parts, query, raw):
        """Route the request to its handler."""
        # Forms
        if parts == ['forms']:
            if method == 'GET':
                self.list_forms(query)
            elif method == 'POST':
                self.create_form(query, raw)
            else:
                raise self.wrong_method('GET, POST')
        elif len(parts) == 2 and parts[0] == 'forms' and parts[1] != '':
            if method == 'GET':
                self.get_form(parts[1], query)
            else:
                raise self.wrong_method('GET')
        elif len(parts) == 3 and parts[0] == 'forms' and parts[1] != '' and parts[2] == 'close':
            if method == 'POST':
                self.close_form(parts[1], query)
            else:
                raise self.wrong_method('POST')
        elif len(parts) == 3 and parts[0] == 'forms' and parts[1] != '' and parts[2] == 'open':
            if method == 'POST':
                self.open_form(parts[1], query)
            else:
                raise self.wrong_method('POST')
        elif len(parts) == 3 and parts[0] == 'forms' and parts[1] != '' and parts[2] == 'summary':
            if method == 'GET':
                self.get_summary(parts[1], query)
            else:
                raise self.wrong_method('GET')
        elif len(parts) == 3 and parts[0] == 'forms' and parts[1] != '' and parts[2] == 'replies':
            if method == 'GET':
                self.list_replies(parts[1], query)
            elif method == 'POST':
                self.create_reply(parts[1], query, raw)
            else:
                raise self.wrong_method('GET, POST')
        elif len(parts) == 3 and parts[0] == 'forms' and parts[1] != '' and parts[2] == 'editions':
            if method == 'GET':
                self.list_editions(parts[1], query)
            else:
                raise self.wrong_method('GET')
        elif len(parts) == 4 and parts[0] == 'forms' and parts[1] != '' and parts[2] == 'editions' and parts[3] != '':
            if method == 'GET':
                self.get_edition(parts[1], parts[3], query)
            else:
                raise self.wrong_method('GET')
        elif len(parts) == 3 and parts[0] == 'forms' and parts[1] != '' and parts[2] == 'draft':
            if method == 'GET':
                self.get_draft(parts[1], query)
            else:
                raise self.wrong_method('GET')
        elif len(parts) == 3 and parts[0] == 'forms' and parts[1] != '' and parts[2] == 'edits':
            if method == 'POST':
                self.edit_draft(parts[1], query, raw)
            else:
                raise self.wrong_method('POST')
        elif len(parts) == 3 and parts[0] == 'forms' and parts[1] != '' and parts[2] == 'publish':
            if method == 'POST':
                self.publish_form(parts[1], query)
            else:
                raise self.wrong_method('POST')
        # Replies
        elif len(parts) == 2 and parts[0] == 'replies' and parts[1] != '':
            if method == 'GET':
                self.get_reply(parts[1], query)
            elif method == 'PUT':
                self.put_reply(parts[1], query, raw)
            elif method == 'PATCH':
                self.patch_reply(parts[1], query, raw)
            elif method == 'DELETE':
                self.delete_reply(parts[1], query)
            else:
                raise self.wrong_method('DELETE, GET, PATCH, PUT')
        elif len(parts) == 3 and parts[0] == 'replies' and parts[1] != '' and parts[2] == 'send':
            if method == 'POST':
                self.send_reply(parts[1], query)
            else:
                raise self.wrong_method('POST')
        else:
            raise ApiError(404, {'error': 'unknown-path'})

    def create_form(self, query, raw):
        """Create a form."""
        body = self.parse_body(raw)
        self.no_params(query)
        validate_form(body)
        if body['id'] in DATA['forms']:
            raise ApiError(409, {'error': 'form-exists'})
        form = {}
        form['id'] = body['id']
        form['state'] = 'open'
        form['editions'] = [{'title': body['title'], 'questions': body['questions']}]
        form['draft'] = {'title': body['title'], 'questions': copy.deepcopy(body['questions'])}
        form['revision'] = 0
        DATA['forms'][form['id']] = form
        DATA['form_order'].append(form['id'])
        save_data()
        self.send_json(201, form_to_json(form), '/forms/' + form['id'])

    def list_forms(self, query):
        """List all forms."""
        self.no_params(query)
        result = []
        for form_id in DATA['form_order']:
            result.append(form_to_list_json(DATA['forms'][form_id]))
        self.send_json(200, {'forms': result})

    def get_form(self, form_id, query):
        """Get a form."""
        self.no_params(query)
        if form_id not in DATA['forms']:
            raise ApiError(404, {'error': 'no-such-form'})
        self.send_json(200, form_to_json(DATA['forms'][form_id]))

    def close_form(self, form_id, query):
        """Close a form."""
        self.no_params(query)
        if form_id not in DATA['forms']:
            raise ApiError(404, {'error': 'no-such-form'})
        form = DATA['forms'][form_id]
        if form['state'] == 'closed':
            raise ApiError(409, {'error': 'closed'})
        form['state'] = 'closed'
        save_data()
        self.send_json(200, form_to_json(form))

    def open_form(self, form_id, query):
        """Open a form."""
        self.no_params(query)
        if form_id not in DATA['forms']:
            raise ApiError(404, {'error': 'no-such-form'})
        form = DATA['forms'][form_id]
        if form['state'] == 'open':
            raise ApiError(409, {'error': 'open'})
        form['state'] = 'open'
        save_data()
        self.send_json(200, form_to_json(form))

    def list_editions(self, form_id, query):
        """List the editions of a form."""
        self.no_params(query)
        if form_id not in DATA['forms']:
            raise ApiError(404, {'error': 'no-such-form'})
        form = DATA['forms'][form_id]
        result = []
        for i in range(len(form['editions'])):
            count = 0
            for reply in DATA['replies'].values():
                if reply['form'] == form_id and reply['edition'] == i + 1:
                    if reply['state'] == 'sent':
                        count = count + 1
            result.append({'edition': i + 1, 'title': form['editions'][i]['title'], 'replies': count})
        self.send_json(200, {'editions': result})

    def get_edition(self, form_id, text, query):
        """Get an edition of a form."""
        self.no_params(query)
        if form_id not in DATA['forms']:
            raise ApiError(404, {'error': 'no-such-form'})
        form = DATA['forms'][form_id]
        if len(text) > 6 or text[0] == '0':
            raise ApiError(404, {'error': 'no-such-edition'})
        for ch in text:
            if ch not in '0123456789':
                raise ApiError(404, {'error': 'no-such-edition'})
        if int(text) > len(form['editions']):
            raise ApiError(404, {'error': 'no-such-edition'})
        self.send_json(200, edition_to_json(form, int(text)))

    def get_draft(self, form_id, query):
        """Get the draft of a form."""
        self.no_params(query)
        if form_id not in DATA['forms']:
            raise ApiError(404, {'error': 'no-such-form'})
        self.send_json(200, draft_to_json(DATA['forms'][form_id]))

    def edit_draft(self, form_id, query, raw):
        """Edit the draft of a form."""
        body = self.parse_body(raw)
        self.no_params(query)
        validate_edits(body)
        if form_id not in DATA['forms']:
            raise ApiError(404, {'error': 'no-such-form'})
        form = DATA['forms'][form_id]
        if body['revision'] != form['revision']:
            raise ApiError(409, {'error': 'stale', 'revision': form['revision']})
        title, questions = do_edits(form['draft']['title'], copy.deepcopy(form['draft']['questions']), body['edits'])
        form['draft'] = {'title': title, 'questions': questions}
        form['revision'] = form['revision'] + 1
        save_data()
        self.send_json(200, draft_to_json(form))

    def publish_form(self, form_id, query):
        """Publish the draft of a form."""
        self.no_params(query)
        if form_id not in DATA['forms']:
            raise ApiError(404, {'error': 'no-such-form'})
        form = DATA['forms'][form_id]
        latest = form['editions'][len(form['editions']) - 1]
        if json.dumps(latest['questions'], sort_keys=True) == json.dumps(form['draft']['questions'], sort_keys=True):
            if latest['title'] == form['draft']['title']:
                raise ApiError(409, {'error': 'nothing-new'})
        form['editions'].append({'title': form['draft']['title'], 'questions': copy.deepcopy(form['draft']['questions'])})
        save_data()
        number = len(form['editions'])
        self.send_json(201, edition_to_json(form, number), '/forms/' + form_id + '/editions/' + str(number))

    def create_reply(self, form_id, query, raw):
        """Create a reply."""
        body = self.parse_body(raw)
        self.no_params(query)
        # Validate by
        if 'by' not in body or not is_line(body['by']):
            raise bad_input('by')
        # Validate answers
        if 'answers' not in body or not isinstance(body['answers'], dict):
            raise bad_input('answers')
        # Validate send
        if 'send' in body and not isinstance(body['send'], bool):
            raise bad_input('send')
        send = True
        if 'send' in body and body['send'] == False:
            send = False
        # Check for unknown fields
        for key in sorted(body.keys()):
            if key not in ['by', 'answers', 'send']:
                raise bad_input(key)
        if form_id not in DATA['forms']:
            raise ApiError(404, {'error': 'no-such-form'})
        form = DATA['forms'][form_id]
        if form['state'] == 'closed':
            raise ApiError(409, {'error': 'closed'})
        for reply in DATA['replies'].values():
            if reply['form'] == form_id and reply['by'] == body['by']:
                raise ApiError(409, {'error': 'replied', 'reply': reply['id']})
        # Check the answers
        edition = form['editions'][len(form['editions']) - 1]
        checked = check_all(edition['questions'], body['answers'])
        faults = checked['faults']
        for at in checked['notasked']:
            faults.append({'at': at, 'fault': 'not-asked'})
        if send == True:
            for at in checked['missing']:
                faults.append({'at': at, 'fault': 'missing'})
        if len(faults) > 0:
            raise ApiError(422, {'error': 'bad-answers', 'faults': faults})
        kept = checked['asked']
        reply = {}
        reply['id'] = 'R' + str(DATA['next_reply'])
        reply['form'] = form_id
        reply['by'] = body['by']
        reply['edition'] = len(form['editions'])
        if send == True:
            reply['state'] = 'sent'
        else:
            reply['state'] = 'begun'
        reply['answers'] = kept
        DATA['replies'][reply['id']] = reply
        DATA['next_reply'] = DATA['next_reply'] + 1
        save_data()
        self.send_json(201, reply_to_json(reply), '/replies/' + reply['id'])

    def put_reply(self, reply_id, query, raw):
        """Replace the answers of a reply."""
        body = self.parse_body(raw)
        self.no_params(query)
        # Validate answers
        if 'answers' not in body or not isinstance(body['answers'], dict):
            raise bad_input('answers')
        # Check for unknown fields
        for key in sorted(body.keys()):
            if key not in ['answers']:
                raise bad_input(key)
        if reply_id not in DATA['replies']:
            raise ApiError(404, {'error': 'no-such-reply'})
        reply = DATA['replies'][reply_id]
        form = DATA['forms'][reply['form']]
        edition = form['editions'][reply['edition'] - 1]
        if form['state'] == 'closed':
            raise ApiError(409, {'error': 'closed'})
        # Check the answers
        checked = check_all(edition['questions'], body['answers'])
        faults = checked['faults']
        for at in checked['notasked']:
            faults.append({'at': at, 'fault': 'not-asked'})
        if reply['state'] == 'sent':
            for at in checked['missing']:
                faults.append({'at': at, 'fault': 'missing'})
        if len(faults) > 0:
            raise ApiError(422, {'error': 'bad-answers', 'faults': faults})
        kept = checked['asked']
        reply['answers'] = kept
        save_data()
        self.send_json(200, reply_to_json(reply))

    def patch_reply(self, reply_id, query, raw):
        """Change some answers of a reply."""
        body = self.parse_body(raw)
        self.no_params(query)
        # Validate answers
        if 'answers' not in body or not isinstance(body['answers'], dict):
            raise bad_input('answers')
        # Check for unknown fields
        for key in sorted(body.keys()):
            if key not in ['answers']:
                raise bad_input(key)
        if reply_id not in DATA['replies']:
            raise ApiError(404, {'error': 'no-such-reply'})
        reply = DATA['replies'][reply_id]
        form = DATA['forms'][reply['form']]
        edition = form['editions'][reply['edition'] - 1]
        if reply['state'] == 'sent':
            raise ApiError(409, {'error': 'sent'})
        if form['state'] == 'closed':
            raise ApiError(409, {'error': 'closed'})
        # Apply the patch: whole answers first
        merged = copy.deepcopy(reply['answers'])
        way_faults = []
        for key in body['answers']:
            if '[' not in key or '.' not in key:
                merged[key] = body['answers'][key]
        # Then the answers inside of groups
        for key in body['answers']:
            if '[' not in key or '.' not in key:
                continue
            found = False
            group_id = key.split('[', 1)[0]
            rest = key.split('[', 1)[1]
            number = rest.split(']', 1)[0]
            inner = ''
            if '].' in rest:
                inner = rest.split('].', 1)[1]
            number_ok = len(number) > 0 and len(number) < 9
            for ch in number:
                if ch not in '0123456789':
                    number_ok = False
            if len(number) > 1 and number[0] == '0':
                number_ok = False
            for q in edition['questions']:
                if q['id'] == group_id and q['kind'] == 'group' and number_ok:
                    for sq in q['questions']:
                        if sq['id'] == inner:
                            entries = merged.get(group_id)
                            if isinstance(entries, list) and int(number) < len(entries):
                                if isinstance(entries[int(number)], dict):
                                    merged[group_id] = copy.deepcopy(entries)
                                    merged[group_id][int(number)][inner] = body['answers'][key]
                                    found = True
            if found == False:
                way_faults.append(key)
        # Check the answers
        checked = check_all(edition['questions'], merged)
        faults = checked['faults']
        for key in way_faults:
            faults.append({'at': key, 'fault': 'unknown'})
        for at in checked['notasked']:
            told = False
            for key in body['answers']:
                if body['answers'][key] is None or body['answers'][key] == '':
                    continue
                if key in way_faults:
                    continue
                if key == at or at.startswith(key + '['):
                    if told == False:
                        faults.append({'at': at, 'fault': 'not-asked'})
                        told = True
                elif key.startswith(at + '['):
                    faults.append({'at': key, 'fault': 'not-asked'})
        if len(faults) > 0:
            raise ApiError(422, {'error': 'bad-answers', 'faults': faults})
        reply['answers'] = remove_empty(edition['questions'], merged)
        save_data()
        self.send_json(200, reply_to_json(reply))

    def send_reply(self, reply_id, query):
        """Send a reply."""
        self.no_params(query)
        if reply_id not in DATA['replies']:
            raise ApiError(404, {'error': 'no-such-reply'})
        reply = DATA['replies'][reply_id]
        form = DATA['forms'][reply['form']]
        edition = form['editions'][reply['edition'] - 1]
        if reply['state'] == 'sent':
            raise ApiError(409, {'error': 'sent'})
        if form['state'] == 'closed':
            raise ApiError(409, {'error': 'closed'})
        # Check the answers
        checked = check_all(edition['questions'], reply['answers'])
        faults = checked['faults']
        for at in checked['missing']:
            faults.append({'at': at, 'fault': 'missing'})
        if len(faults) > 0:
            raise ApiError(422, {'error': 'bad-answers', 'faults': faults})
        kept = checked['asked']
        reply['answers'] = kept
        reply['state'] = 'sent'
        save_data()
        self.send_json(200, reply_to_json(reply))

    def get_reply(self, reply_id, query):
        """Get a reply."""
        self.no_params(query)
        if reply_id not in DATA['replies']:
            raise ApiError(404, {'error': 'no-such-reply'})
        self.send_json(200, reply_to_json(DATA['replies'][reply_id]))

    def delete_reply(self, reply_id, query):
        """Delete a reply."""
        self.no_params(query)
        if reply_id not in DATA['replies']:
            raise ApiError(404, {'error': 'no-such-reply'})
        del DATA['replies'][reply_id]
        save_data()
        self.send_json(200, {'removed': reply_id})

    def list_replies(self, form_id, query):
        """List the replies of a form."""
        by = None
        state = None
        edition = None
        seen = []
        for name, value in parse_query(query):
            if name in seen:
                raise bad_input(name)
            seen.append(name)
            if name == 'by':
                if not is_line(value):
                    raise bad_input('by')
                by = value
            elif name == 'state':
                if value != 'begun' and value != 'sent':
                    raise bad_input('state')
                state = value
            elif name == 'edition':
                if len(value) < 1 or len(value) > 6 or value[0] == '0':
                    raise bad_input('edition')
                for ch in value:
                    if ch not in '0123456789':
                        raise bad_input('edition')
                edition = int(value)
            else:
                raise bad_input(name)
        if form_id not in DATA['forms']:
            raise ApiError(404, {'error': 'no-such-form'})
        result = []
        for reply in DATA['replies'].values():
            if reply['form'] == form_id:
                if by is not None and reply['by'] != by:
                    continue
                if state is not None and reply['state'] != state:
                    continue
                if edition is not None and reply['edition'] != edition:
                    continue
                result.append(reply_to_json(reply))
        self.send_json(200, {'replies': result})

    def get_summary(self, form_id, query):
        """Get the summary of a form."""
        number = None
        for name, value in parse_query(query):
            if name == 'edition' and number is None:
                if len(value) < 1 or len(value) > 6 or value[0] == '0':
                    raise bad_input('edition')
                for ch in value:
                    if ch not in '0123456789':
                        raise bad_input('edition')
                number = int(value)
            else:
                raise bad_input(name)
        if form_id not in DATA['forms']:
            raise ApiError(404, {'error': 'no-such-form'})
        form = DATA['forms'][form_id]
        if number is None:
            number = len(form['editions'])
        if number > len(form['editions']):
            raise ApiError(404, {'error': 'no-such-edition'})
        edition = form['editions'][number - 1]
        all_answers = []
        for reply in DATA['replies'].values():
            if reply['form'] == form_id and reply['edition'] == number and reply['state'] == 'sent':
                all_answers.append(reply['answers'])
        result = []
        for q in edition['questions']:
            item = {}
            item['id'] = q['id']
            given = 0
            for answers in all_answers:
                if q['id'] in answers:
                    given = given + 1
            item['given'] = given
            if q['kind'] == 'number':
                total = 0
                smallest = None
                largest = None
                for answers in all_answers:
                    if q['id'] in answers:
                        value = answers[q['id']]
                        total = total + value
                        if smallest is None or value < smallest:
                            smallest = value
                        if largest is None or value > largest:
                            largest = value
                item['sum'] = total
                item['smallest'] = smallest
                item['largest'] = largest
            elif q['kind'] == 'choice':
                counts = {}
                for option in q['options']:
                    counts[option] = 0
                for answers in all_answers:
                    if q['id'] in answers:
                        counts[answers[q['id']]] = counts[answers[q['id']]] + 1
                item['counts'] = counts
            elif q['kind'] == 'flag':
                yes = 0
                no = 0
                for answers in all_answers:
                    if q['id'] in answers:
                        if answers[q['id']] == True:
                            yes = yes + 1
                        else:
                            no = no + 1
                item['yes'] = yes
                item['no'] = no
            elif q['kind'] == 'group':
                entries = []
                for answers in all_answers:
                    if q['id'] in answers:
                        for entry in answers[q['id']]:
                            entries.append(entry)
                item['entries'] = len(entries)
                sub_result = []
                for sq in q['questions']:
                    sub_item = {}
                    sub_item['id'] = sq['id']
                    given = 0
                    for entry in entries:
                        if sq['id'] in entry:
                            given = given + 1
                    sub_item['given'] = given
                    if sq['kind'] == 'number':
                        total = 0
                        smallest = None
                        largest = None
                        for entry in entries:
                            if sq['id'] in entry:
                                value = entry[sq['id']]
                                total = total + value
                                if smallest is None or value < smallest:
                                    smallest = value
                                if largest is None or value > largest:
                                    largest = value
                        sub_item['sum'] = total
                        sub_item['smallest'] = smallest
                        sub_item['largest'] = largest
                    elif sq['kind'] == 'choice':
                        counts = {}
                        for option in sq['options']:
                            counts[option] = 0
                        for entry in entries:
                            if sq['id'] in entry:
                                counts[entry[sq['id']]] = counts[entry[sq['id']]] + 1
                        sub_item['counts'] = counts
                    elif sq['kind'] == 'flag':
                        yes = 0
                        no = 0
                        for entry in entries:
                            if sq['id'] in entry:
                                if entry[sq['id']] == True:
                                    yes = yes + 1
                                else:
                                    no = no + 1
                        sub_item['yes'] = yes
                        sub_item['no'] = no
                    sub_result.append(sub_item)
                item['questions'] = sub_result
            result.append(item)
        self.send_json(200, {'form': form_id, 'edition': number, 'replies': len(all_answers), 'questions': result})


class Server(ThreadingHTTPServer):
    """The server."""
    daemon_threads = True
    request_queue_size = 128


def main():
    """Main entry point."""
    parser = argparse.ArgumentParser()
    parser.add_argument('--port', type=int, required=True)
    parser.add_argument('--data', required=True)
    args = parser.parse_args()
    load_data(args.data)
    server = Server(('127.0.0.1', args.port), Handler)
    server.serve_forever()


if __name__ == '__main__':
    main()
