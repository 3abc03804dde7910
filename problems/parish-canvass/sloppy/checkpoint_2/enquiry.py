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
        if not isinstance(q['kind'], str) or q['kind'] not in ['text', 'number', 'choice', 'flag']:
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
            if not isinstance(nq['kind'], str) or nq['kind'] not in ['text', 'number', 'choice', 'flag']:
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
            # Check for unknown fields
            for key in sorted(nq.keys()):
                if key not in allowed:
                    raise bad_input(path + '.' + key)
            if 'before' in edit and not is_name(edit['before']):
                raise bad_input(epath + '.before')
            for key in sorted(edit.keys()):
                if key not in ['do', 'question', 'before']:
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
    if not isinstance(q['kind'], str) or q['kind'] not in ['text', 'number', 'choice', 'flag']:
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
            # Find the position
            position = len(questions)
            if 'before' in edit:
                position = -1
                for j in range(len(questions)):
                    if questions[j]['id'] == edit['before']:
                        position = j
                if position == -1:
                    raise ApiError(409, {'error': 'edit-refused', 'edit': i, 'why': 'no-such-question'})
            for q in questions:
                if q['id'] == edit['question']['id']:
                    raise ApiError(409, {'error': 'edit-refused', 'edit': i, 'why': 'question-exists'})
            questions.insert(position, copy.deepcopy(edit['question']))
        elif edit['do'] == 'remove':
            position = -1
            for j in range(len(questions)):
                if questions[j]['id'] == edit['question']:
                    position = j
            if position == -1:
                raise ApiError(409, {'error': 'edit-refused', 'edit': i, 'why': 'no-such-question'})
            questions.pop(position)
        elif edit['do'] == 'change':
            position = -1
            for j in range(len(questions)):
                if questions[j]['id'] == edit['question']:
                    position = j
            if position == -1:
                raise ApiError(409, {'error': 'edit-refused', 'edit': i, 'why': 'no-such-question'})
            if 'id' in edit['set'] or 'kind' in edit['set']:
                raise ApiError(409, {'error': 'edit-refused', 'edit': i, 'why': 'bad-question'})
            changed = copy.deepcopy(questions[position])
            for key in edit['set']:
                if changed['kind'] == 'number' and key == 'least' and edit['set'][key] is None:
                    if 'least' in changed:
                        del changed['least']
                elif changed['kind'] == 'number' and key == 'most' and edit['set'][key] is None:
                    if 'most' in changed:
                        del changed['most']
                else:
                    changed[key] = copy.deepcopy(edit['set'][key])
            if not question_ok(changed):
                raise ApiError(409, {'error': 'edit-refused', 'edit': i, 'why': 'bad-question'})
            questions[position] = changed
        elif edit['do'] == 'place':
            position = -1
            for j in range(len(questions)):
                if questions[j]['id'] == edit['question']:
                    position = j
            if position == -1:
                raise ApiError(409, {'error': 'edit-refused', 'edit': i, 'why': 'no-such-question'})
            if 'before' in edit:
                target = -1
                for j in range(len(questions)):
                    if questions[j]['id'] == edit['before']:
                        target = j
                if target == -1:
                    raise ApiError(409, {'error': 'edit-refused', 'edit': i, 'why': 'no-such-question'})
                if edit['before'] != edit['question']:
                    q = questions.pop(position)
                    target = -1
                    for j in range(len(questions)):
                        if questions[j]['id'] == edit['before']:
                            target = j
                    questions.insert(target, q)
            else:
                q = questions.pop(position)
                questions.append(q)
    if len(questions) < 1 or len(questions) > 40:
        raise ApiError(409, {'error': 'draft-wrong', 'at': 'questions'})
    return title, questions


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
        result['open'] = []
        edition = DATA['forms'][reply['form']]['editions'][reply['edition'] - 1]
        for q in edition['questions']:
            if q['needed'] == True:
                if q['id'] not in reply['answers']:
                    result['open'].append(q['id'])
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
        faults = []
        kept = {}
        ids = []
        for q in edition['questions']:
            ids.append(q['id'])
        for key in body['answers']:
            if key not in ids:
                faults.append({'at': key, 'fault': 'unknown'})
        for q in edition['questions']:
            value = body['answers'].get(q['id'])
            if value is None or value == '':
                if q['needed'] == True and send == True:
                    faults.append({'at': q['id'], 'fault': 'missing'})
                continue
            kept[q['id']] = value
            if q['kind'] == 'text':
                if not isinstance(value, str):
                    faults.append({'at': q['id'], 'fault': 'wrong-kind'})
                elif len(value) > q['longest']:
                    faults.append({'at': q['id'], 'fault': 'too-long'})
            elif q['kind'] == 'number':
                if not is_number(value):
                    faults.append({'at': q['id'], 'fault': 'wrong-kind'})
                elif 'least' in q and value < q['least']:
                    faults.append({'at': q['id'], 'fault': 'too-small'})
                elif 'most' in q and value > q['most']:
                    faults.append({'at': q['id'], 'fault': 'too-large'})
            elif q['kind'] == 'choice':
                if not isinstance(value, str):
                    faults.append({'at': q['id'], 'fault': 'wrong-kind'})
                elif value not in q['options']:
                    faults.append({'at': q['id'], 'fault': 'not-an-option'})
            elif q['kind'] == 'flag':
                if not isinstance(value, bool):
                    faults.append({'at': q['id'], 'fault': 'wrong-kind'})
        if len(faults) > 0:
            raise ApiError(422, {'error': 'bad-answers', 'faults': faults})
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
        faults = []
        kept = {}
        ids = []
        for q in edition['questions']:
            ids.append(q['id'])
        for key in body['answers']:
            if key not in ids:
                faults.append({'at': key, 'fault': 'unknown'})
        for q in edition['questions']:
            value = body['answers'].get(q['id'])
            if value is None or value == '':
                if q['needed'] == True and reply['state'] == 'sent':
                    faults.append({'at': q['id'], 'fault': 'missing'})
                continue
            kept[q['id']] = value
            if q['kind'] == 'text':
                if not isinstance(value, str):
                    faults.append({'at': q['id'], 'fault': 'wrong-kind'})
                elif len(value) > q['longest']:
                    faults.append({'at': q['id'], 'fault': 'too-long'})
            elif q['kind'] == 'number':
                if not is_number(value):
                    faults.append({'at': q['id'], 'fault': 'wrong-kind'})
                elif 'least' in q and value < q['least']:
                    faults.append({'at': q['id'], 'fault': 'too-small'})
                elif 'most' in q and value > q['most']:
                    faults.append({'at': q['id'], 'fault': 'too-large'})
            elif q['kind'] == 'choice':
                if not isinstance(value, str):
                    faults.append({'at': q['id'], 'fault': 'wrong-kind'})
                elif value not in q['options']:
                    faults.append({'at': q['id'], 'fault': 'not-an-option'})
            elif q['kind'] == 'flag':
                if not isinstance(value, bool):
                    faults.append({'at': q['id'], 'fault': 'wrong-kind'})
        if len(faults) > 0:
            raise ApiError(422, {'error': 'bad-answers', 'faults': faults})
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
        merged = {}
        for key in reply['answers']:
            merged[key] = reply['answers'][key]
        for key in body['answers']:
            merged[key] = body['answers'][key]
        # Check the answers
        faults = []
        kept = {}
        ids = []
        for q in edition['questions']:
            ids.append(q['id'])
        for key in merged:
            if key not in ids:
                faults.append({'at': key, 'fault': 'unknown'})
        for q in edition['questions']:
            value = merged.get(q['id'])
            if value is None or value == '':
                continue
            kept[q['id']] = value
            if q['kind'] == 'text':
                if not isinstance(value, str):
                    faults.append({'at': q['id'], 'fault': 'wrong-kind'})
                elif len(value) > q['longest']:
                    faults.append({'at': q['id'], 'fault': 'too-long'})
            elif q['kind'] == 'number':
                if not is_number(value):
                    faults.append({'at': q['id'], 'fault': 'wrong-kind'})
                elif 'least' in q and value < q['least']:
                    faults.append({'at': q['id'], 'fault': 'too-small'})
                elif 'most' in q and value > q['most']:
                    faults.append({'at': q['id'], 'fault': 'too-large'})
            elif q['kind'] == 'choice':
                if not isinstance(value, str):
                    faults.append({'at': q['id'], 'fault': 'wrong-kind'})
                elif value not in q['options']:
                    faults.append({'at': q['id'], 'fault': 'not-an-option'})
            elif q['kind'] == 'flag':
                if not isinstance(value, bool):
                    faults.append({'at': q['id'], 'fault': 'wrong-kind'})
        if len(faults) > 0:
            raise ApiError(422, {'error': 'bad-answers', 'faults': faults})
        reply['answers'] = kept
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
        faults = []
        kept = {}
        ids = []
        for q in edition['questions']:
            ids.append(q['id'])
        for key in reply['answers']:
            if key not in ids:
                faults.append({'at': key, 'fault': 'unknown'})
        for q in edition['questions']:
            value = reply['answers'].get(q['id'])
            if value is None or value == '':
                if q['needed'] == True:
                    faults.append({'at': q['id'], 'fault': 'missing'})
                continue
            kept[q['id']] = value
            if q['kind'] == 'text':
                if not isinstance(value, str):
                    faults.append({'at': q['id'], 'fault': 'wrong-kind'})
                elif len(value) > q['longest']:
                    faults.append({'at': q['id'], 'fault': 'too-long'})
            elif q['kind'] == 'number':
                if not is_number(value):
                    faults.append({'at': q['id'], 'fault': 'wrong-kind'})
                elif 'least' in q and value < q['least']:
                    faults.append({'at': q['id'], 'fault': 'too-small'})
                elif 'most' in q and value > q['most']:
                    faults.append({'at': q['id'], 'fault': 'too-large'})
            elif q['kind'] == 'choice':
                if not isinstance(value, str):
                    faults.append({'at': q['id'], 'fault': 'wrong-kind'})
                elif value not in q['options']:
                    faults.append({'at': q['id'], 'fault': 'not-an-option'})
            elif q['kind'] == 'flag':
                if not isinstance(value, bool):
                    faults.append({'at': q['id'], 'fault': 'wrong-kind'})
        if len(faults) > 0:
            raise ApiError(422, {'error': 'bad-answers', 'faults': faults})
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
        replies = []
        for reply in DATA['replies'].values():
            if reply['form'] == form_id and reply['edition'] == number and reply['state'] == 'sent':
                replies.append(reply)
        result = []
        for q in edition['questions']:
            item = {}
            item['id'] = q['id']
            given = 0
            for reply in replies:
                if q['id'] in reply['answers']:
                    given = given + 1
            item['given'] = given
            if q['kind'] == 'number':
                total = 0
                smallest = None
                largest = None
                for reply in replies:
                    if q['id'] in reply['answers']:
                        value = reply['answers'][q['id']]
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
                for reply in replies:
                    if q['id'] in reply['answers']:
                        counts[reply['answers'][q['id']]] = counts[reply['answers'][q['id']]] + 1
                item['counts'] = counts
            elif q['kind'] == 'flag':
                yes = 0
                no = 0
                for reply in replies:
                    if q['id'] in reply['answers']:
                        if reply['answers'][q['id']] == True:
                            yes = yes + 1
                        else:
                            no = no + 1
                item['yes'] = yes
                item['no'] = no
            result.append(item)
        self.send_json(200, {'form': form_id, 'edition': number, 'replies': len(replies), 'questions': result})


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
