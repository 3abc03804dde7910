#!/usr/bin/env python3
"""
Enquiry - forms and replies of an office.

This module implements the HTTP server, the validation and the persistence.
"""
import argparse
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
    result = {}
    result['id'] = form['id']
    result['title'] = form['title']
    result['state'] = form['state']
    result['questions'] = form['questions']
    count = 0
    for reply in DATA['replies'].values():
        if reply['form'] == form['id']:
            count = count + 1
    result['replies'] = count
    return result


def form_to_list_json(form):
    """Convert a form to its JSON representation in the list."""
    result = {}
    result['id'] = form['id']
    result['title'] = form['title']
    result['state'] = form['state']
    count = 0
    for reply in DATA['replies'].values():
        if reply['form'] == form['id']:
            count = count + 1
    result['replies'] = count
    return result


def reply_to_json(reply):
    """Convert a reply to its JSON representation."""
    result = {}
    result['id'] = reply['id']
    result['form'] = reply['form']
    result['by'] = reply['by']
    result['answers'] = reply['answers']
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
        # Replies
        elif len(parts) == 2 and parts[0] == 'replies' and parts[1] != '':
            if method == 'GET':
                self.get_reply(parts[1], query)
            elif method == 'PUT':
                self.put_reply(parts[1], query, raw)
            elif method == 'DELETE':
                self.delete_reply(parts[1], query)
            else:
                raise self.wrong_method('DELETE, GET, PUT')
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
        form['title'] = body['title']
        form['state'] = 'open'
        form['questions'] = body['questions']
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
        # Check for unknown fields
        for key in sorted(body.keys()):
            if key not in ['by', 'answers']:
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
        faults = []
        kept = {}
        ids = []
        for q in form['questions']:
            ids.append(q['id'])
        for key in body['answers']:
            if key not in ids:
                faults.append({'at': key, 'fault': 'unknown'})
        for q in form['questions']:
            value = body['answers'].get(q['id'])
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
        reply = {}
        reply['id'] = 'R' + str(DATA['next_reply'])
        reply['form'] = form_id
        reply['by'] = body['by']
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
        if form['state'] == 'closed':
            raise ApiError(409, {'error': 'closed'})
        # Check the answers
        faults = []
        kept = {}
        ids = []
        for q in form['questions']:
            ids.append(q['id'])
        for key in body['answers']:
            if key not in ids:
                faults.append({'at': key, 'fault': 'unknown'})
        for q in form['questions']:
            value = body['answers'].get(q['id'])
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
        seen = []
        for name, value in parse_query(query):
            if name in seen:
                raise bad_input(name)
            seen.append(name)
            if name == 'by':
                if not is_line(value):
                    raise bad_input('by')
                by = value
            else:
                raise bad_input(name)
        if form_id not in DATA['forms']:
            raise ApiError(404, {'error': 'no-such-form'})
        result = []
        for reply in DATA['replies'].values():
            if reply['form'] == form_id:
                if by is not None and reply['by'] != by:
                    continue
                result.append(reply_to_json(reply))
        self.send_json(200, {'replies': result})

    def get_summary(self, form_id, query):
        """Get the summary of a form."""
        self.no_params(query)
        if form_id not in DATA['forms']:
            raise ApiError(404, {'error': 'no-such-form'})
        form = DATA['forms'][form_id]
        replies = []
        for reply in DATA['replies'].values():
            if reply['form'] == form_id:
                replies.append(reply)
        result = []
        for q in form['questions']:
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
        self.send_json(200, {'form': form_id, 'replies': len(replies), 'questions': result})


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
