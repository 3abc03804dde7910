#!/usr/bin/env python3
"""Dyer - service for a dye works."""
import argparse
import json
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

# Global state
DYES = {}
SCALES = {}
ENTRIES = []
LOCK = threading.Condition()


def handle(method, path, query, body):
    """Handle a request."""
    parts = path.split('/')

    # Dyes
    if method == 'POST' and path == '/dyes':
        # Parse the body
        try:
            data = json.loads(body.decode('utf-8'))
        except Exception:
            return 400, {'fault': 'not-json'}
        if not isinstance(data, dict):
            return 400, {'fault': 'not-json'}

        # Check the field id
        id = data.get('id', '__missing__')
        if id == '__missing__':
            return 422, {'fault': 'wrong-field', 'field': 'id'}
        if not isinstance(id, str):
            return 422, {'fault': 'wrong-field', 'field': 'id'}
        if len(id) < 1 or len(id) > 20:
            return 422, {'fault': 'wrong-field', 'field': 'id'}
        if id[0] not in 'abcdefghijklmnopqrstuvwxyz':
            return 422, {'fault': 'wrong-field', 'field': 'id'}
        for ch in id:
            if ch not in 'abcdefghijklmnopqrstuvwxyz0123456789-':
                return 422, {'fault': 'wrong-field', 'field': 'id'}

        # Check the field grams
        grams = data.get('grams', '__missing__')
        if grams == '__missing__':
            return 422, {'fault': 'wrong-field', 'field': 'grams'}
        if isinstance(grams, bool) or not isinstance(grams, int):
            return 422, {'fault': 'wrong-field', 'field': 'grams'}
        if grams < 0 or grams > 100000:
            return 422, {'fault': 'wrong-field', 'field': 'grams'}

        # Check for fields that are not listed
        extra = []
        for key_name in data:
            if key_name not in ['id', 'grams']:
                extra.append(key_name)
        if len(extra) > 0:
            extra.sort()
            return 422, {'fault': 'wrong-field', 'field': extra[0]}
        with LOCK:
            if id in DYES:
                return 409, {'fault': 'dye-exists'}
            DYES[id] = grams
            return 201, {'id': id, 'grams': grams}
    elif method == 'GET' and path == '/dyes':
        with LOCK:
            result = []
            for d in sorted(DYES.keys()):
                result.append({'id': d, 'grams': DYES[d]})
            return 200, {'dyes': result}
    elif method == 'GET' and len(parts) == 3 and parts[1] == 'dyes' and parts[2] != '':
        with LOCK:
            if parts[2] not in DYES:
                return 404, {'fault': 'no-dye', 'dye': parts[2]}
            return 200, {'id': parts[2], 'grams': DYES[parts[2]]}
    elif method == 'GET' and path == '/entries':
        with LOCK:
            return 200, {'entries': list(ENTRIES)}
    elif method == 'POST' and len(parts) == 4 and parts[1] == 'dyes' and parts[2] != '' and parts[3] == 'refill':
        # Parse the body
        try:
            data = json.loads(body.decode('utf-8'))
        except Exception:
            return 400, {'fault': 'not-json'}
        if not isinstance(data, dict):
            return 400, {'fault': 'not-json'}

        # Check the field grams
        grams = data.get('grams', '__missing__')
        if grams == '__missing__':
            return 422, {'fault': 'wrong-field', 'field': 'grams'}
        if isinstance(grams, bool) or not isinstance(grams, int):
            return 422, {'fault': 'wrong-field', 'field': 'grams'}
        if grams < 1 or grams > 100000:
            return 422, {'fault': 'wrong-field', 'field': 'grams'}

        # Check for fields that are not listed
        extra = []
        for key_name in data:
            if key_name not in ['grams']:
                extra.append(key_name)
        if len(extra) > 0:
            extra.sort()
            return 422, {'fault': 'wrong-field', 'field': extra[0]}
        with LOCK:
            if parts[2] not in DYES:
                return 404, {'fault': 'no-dye', 'dye': parts[2]}
            changes = {parts[2]: grams}
            # Make the entry
            entry = {}
            entry['entry'] = len(ENTRIES) + 1
            entry['changes'] = changes
            left = {}
            for d in changes:
                DYES[d] = DYES[d] + changes[d]
                left[d] = DYES[d]
            entry['left'] = left
            ENTRIES.append(entry)
            return 200, entry
    elif method == 'POST' and len(parts) == 4 and parts[1] == 'dyes' and parts[2] != '' and parts[3] == 'weigh':
        # Parse the body
        try:
            data = json.loads(body.decode('utf-8'))
        except Exception:
            return 400, {'fault': 'not-json'}
        if not isinstance(data, dict):
            return 400, {'fault': 'not-json'}

        # Check the field grams
        grams = data.get('grams', '__missing__')
        if grams == '__missing__':
            return 422, {'fault': 'wrong-field', 'field': 'grams'}
        if isinstance(grams, bool) or not isinstance(grams, int):
            return 422, {'fault': 'wrong-field', 'field': 'grams'}
        if grams < 1 or grams > 100000:
            return 422, {'fault': 'wrong-field', 'field': 'grams'}

        # Check the field ms
        ms = data.get('ms', '__missing__')
        if ms == '__missing__':
            ms = 0
        else:
            if isinstance(ms, bool) or not isinstance(ms, int):
                return 422, {'fault': 'wrong-field', 'field': 'ms'}
            if ms < 0 or ms > 5000:
                return 422, {'fault': 'wrong-field', 'field': 'ms'}

        # Check for fields that are not listed
        extra = []
        for key_name in data:
            if key_name not in ['grams', 'ms']:
                extra.append(key_name)
        if len(extra) > 0:
            extra.sort()
            return 422, {'fault': 'wrong-field', 'field': extra[0]}
        with LOCK:
            if parts[2] not in DYES:
                return 404, {'fault': 'no-dye', 'dye': parts[2]}
            # Wait for the scale
            while parts[2] in SCALES:
                LOCK.wait()
            if DYES[parts[2]] < grams:
                return 409, {'fault': 'short', 'dye': parts[2], 'grams': DYES[parts[2]]}
            SCALES[parts[2]] = grams
        time.sleep(ms / 1000)
        with LOCK:
            del SCALES[parts[2]]
            changes = {parts[2]: -grams}
            # Make the entry
            entry = {}
            entry['entry'] = len(ENTRIES) + 1
            entry['changes'] = changes
            left = {}
            for d in changes:
                DYES[d] = DYES[d] + changes[d]
                left[d] = DYES[d]
            entry['left'] = left
            ENTRIES.append(entry)
            LOCK.notify_all()
            return 200, entry
    elif method == 'POST' and path == '/mixtures':
        # Parse the body
        try:
            data = json.loads(body.decode('utf-8'))
        except Exception:
            return 400, {'fault': 'not-json'}
        if not isinstance(data, dict):
            return 400, {'fault': 'not-json'}

        # Check the parts
        mix = data.get('parts', '__missing__')
        if mix == '__missing__':
            return 422, {'fault': 'wrong-field', 'field': 'parts'}
        if not isinstance(mix, dict):
            return 422, {'fault': 'wrong-field', 'field': 'parts'}
        if len(mix) < 1 or len(mix) > 5:
            return 422, {'fault': 'wrong-field', 'field': 'parts'}
        for part in mix:
            if len(part) < 1 or len(part) > 20:
                return 422, {'fault': 'wrong-field', 'field': 'parts'}
            if part[0] not in 'abcdefghijklmnopqrstuvwxyz':
                return 422, {'fault': 'wrong-field', 'field': 'parts'}
            for ch in part:
                if ch not in 'abcdefghijklmnopqrstuvwxyz0123456789-':
                    return 422, {'fault': 'wrong-field', 'field': 'parts'}
            if isinstance(mix[part], bool) or not isinstance(mix[part], int):
                return 422, {'fault': 'wrong-field', 'field': 'parts'}
            if mix[part] < 1 or mix[part] > 100000:
                return 422, {'fault': 'wrong-field', 'field': 'parts'}

        # Check the field into
        into = data.get('into', '__missing__')
        if into == '__missing__':
            return 422, {'fault': 'wrong-field', 'field': 'into'}
        if not isinstance(into, str):
            return 422, {'fault': 'wrong-field', 'field': 'into'}
        if len(into) < 1 or len(into) > 20:
            return 422, {'fault': 'wrong-field', 'field': 'into'}
        if into[0] not in 'abcdefghijklmnopqrstuvwxyz':
            return 422, {'fault': 'wrong-field', 'field': 'into'}
        for ch in into:
            if ch not in 'abcdefghijklmnopqrstuvwxyz0123456789-':
                return 422, {'fault': 'wrong-field', 'field': 'into'}

        if into in mix:
            return 422, {'fault': 'wrong-field', 'field': 'into'}

        # Check the field ms
        ms = data.get('ms', '__missing__')
        if ms == '__missing__':
            ms = 0
        else:
            if isinstance(ms, bool) or not isinstance(ms, int):
                return 422, {'fault': 'wrong-field', 'field': 'ms'}
            if ms < 0 or ms > 5000:
                return 422, {'fault': 'wrong-field', 'field': 'ms'}

        # Check for fields that are not listed
        extra = []
        for key_name in data:
            if key_name not in ['parts', 'into', 'ms']:
                extra.append(key_name)
        if len(extra) > 0:
            extra.sort()
            return 422, {'fault': 'wrong-field', 'field': extra[0]}
        with LOCK:
            for part in sorted(mix.keys()):
                if part not in DYES:
                    return 404, {'fault': 'no-dye', 'dye': part}
            if into not in DYES:
                return 404, {'fault': 'no-dye', 'dye': into}
            # Wait for the scale
            while any(part in SCALES for part in mix):
                LOCK.wait()
            for part in sorted(mix.keys()):
                if DYES[part] < mix[part]:
                    return 409, {'fault': 'short', 'dye': part, 'grams': DYES[part]}
            for part in mix:
                SCALES[part] = mix[part]
        time.sleep(ms / 1000)
        with LOCK:
            changes = {}
            total = 0
            for part in mix:
                del SCALES[part]
                changes[part] = -mix[part]
                total = total + mix[part]
            changes[into] = total
            # Make the entry
            entry = {}
            entry['entry'] = len(ENTRIES) + 1
            entry['changes'] = changes
            left = {}
            for d in changes:
                DYES[d] = DYES[d] + changes[d]
                left[d] = DYES[d]
            entry['left'] = left
            ENTRIES.append(entry)
            LOCK.notify_all()
            return 200, entry
    else:
        return 404, {'fault': 'unknown-path'}


class Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128


class Handler(BaseHTTPRequestHandler):
    protocol_version = 'HTTP/1.1'
    disable_nagle_algorithm = True
    wbufsize = -1

    def process(self, method):
        """Process a request."""
        length = int(self.headers.get('Content-Length') or 0)
        body = self.rfile.read(length)
        path = self.path
        query = ''
        if '?' in path:
            query = path.split('?', 1)[1]
            path = path.split('?', 1)[0]
        status, result = handle(method, path, query, body)
        payload = json.dumps(result).encode('utf-8')
        self.send_response(status)
        self.send_header('Content-Type', 'application/json')
        self.send_header('Content-Length', str(len(payload)))
        self.end_headers()
        self.wfile.write(payload)

    def do_GET(self):
        self.process('GET')

    def do_POST(self):
        self.process('POST')

    def do_PUT(self):
        self.process('PUT')

    def do_PATCH(self):
        self.process('PATCH')

    def do_DELETE(self):
        self.process('DELETE')

    def log_message(self, *args):
        pass


if __name__ == '__main__':
    parser = argparse.ArgumentParser()
    parser.add_argument('--port', type=int, required=True)
    args = parser.parse_args()
    server = Server(('127.0.0.1', args.port), Handler)
    server.serve_forever()
