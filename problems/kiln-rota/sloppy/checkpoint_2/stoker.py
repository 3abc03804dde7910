#!/usr/bin/env python3
"""Stoker - kiln service for a pottery studio."""
import argparse
import json
import os
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import urlparse, parse_qs

# Global state
DATA = {
    'now': 0,
    'kilns': {},
    'pieces': [],
    'firings': [],
}
DATA_FILE = None
LOCK = threading.Lock()


def load_data(directory):
    """Load the data from disk."""
    global DATA, DATA_FILE
    if not os.path.exists(directory):
        os.makedirs(directory)
    DATA_FILE = os.path.join(directory, 'data.json')
    if os.path.exists(DATA_FILE):
        with open(DATA_FILE, 'r', encoding='utf-8') as f:
            DATA = json.load(f)


def save_data():
    """Save the data to disk."""
    tmp_file = DATA_FILE + '.tmp'
    with open(tmp_file, 'w', encoding='utf-8') as f:
        json.dump(DATA, f)
    os.replace(tmp_file, DATA_FILE)


def is_int(value, low, high):
    """Check if the value is a number in the range."""
    if isinstance(value, bool):
        return False
    if not isinstance(value, int):
        return False
    if value < low or value > high:
        return False
    return True


def is_name(value):
    """Check if the value is a name."""
    if not isinstance(value, str):
        return False
    if len(value) < 1 or len(value) > 20:
        return False
    for ch in value:
        if ch not in 'abcdefghijklmnopqrstuvwxyz0123456789-':
            return False
    if value[0] in '0123456789-':
        return False
    return True


def is_text(value):
    """Check if the value is a text."""
    if not isinstance(value, str):
        return False
    if len(value) < 1 or len(value) > 40:
        return False
    for ch in value:
        if ord(ch) < 32 or ord(ch) == 127:
            return False
    if value[0] == ' ' or value[-1] == ' ':
        return False
    return True


def parse_body(raw):
    """Parse the body, returns None if it is not a JSON object."""
    try:
        body = json.loads(raw.decode('utf-8'))
    except Exception:
        return None
    if not isinstance(body, dict):
        return None
    return body


def wrong(field):
    """Wrong field response."""
    return 422, {'fault': 'wrong-field', 'field': field}


def find_piece(piece_id):
    """Find a piece by id."""
    for piece in DATA['pieces']:
        if piece['id'] == piece_id:
            return piece
    return None


def find_firing(firing_id):
    """Find a firing by id."""
    for firing in DATA['firings']:
        if firing['id'] == firing_id:
            return firing
    return None


def kiln_to_json(kiln):
    """Convert a kiln to JSON."""
    result = {}
    result['id'] = kiln['id']
    result['room'] = kiln['room']
    result['max_heat'] = kiln['max_heat']
    result['rate'] = kiln['rate']
    if kiln['firing'] is not None:
        result['state'] = 'firing'
        result['firing'] = kiln['firing']
    else:
        result['state'] = 'idle'
    return result


def piece_to_json(piece):
    """Convert a piece to JSON."""
    result = {}
    result['id'] = piece['id']
    result['owner'] = piece['owner']
    result['size'] = piece['size']
    result['heat'] = piece['heat']
    result['booked_at'] = piece['booked_at']
    result['state'] = piece['state']
    if piece['rank'] != 5:
        result['rank'] = piece['rank']
    if piece['due'] is not None:
        result['due'] = piece['due']
    if piece['firing'] is not None:
        result['firing'] = piece['firing']
    return result


def firing_to_json(firing):
    """Convert a firing to JSON."""
    result = {}
    result['id'] = firing['id']
    result['kiln'] = firing['kiln']
    result['heat'] = firing['heat']
    result['hold'] = firing['hold']
    result['starts'] = firing['starts']
    result['ends'] = firing['ends']
    result['state'] = firing['state']
    result['pieces'] = firing['pieces']
    result['used'] = firing['used']
    return result


def advance(by):
    """Advance the clock."""
    target = DATA['now'] + by
    while True:
        # Find the next minute at which something happens
        next_minute = None
        for firing in DATA['firings']:
            if firing['state'] == 'firing':
                if next_minute is None or firing['ends'] < next_minute:
                    next_minute = firing['ends']
            if firing['state'] == 'planned':
                if next_minute is None or firing['starts'] < next_minute:
                    next_minute = firing['starts']
        for piece in DATA['pieces']:
            if piece['state'] == 'waiting' and piece['due'] is not None:
                if next_minute is None or piece['due'] < next_minute:
                    next_minute = piece['due']
        if next_minute is None or next_minute > target:
            break
        DATA['now'] = next_minute
        # Finish firings
        for firing in DATA['firings']:
            if firing['state'] == 'firing' and firing['ends'] == DATA['now']:
                firing['state'] = 'done'
                for piece_id in firing['pieces']:
                    piece = find_piece(piece_id)
                    piece['state'] = 'fired'
                DATA['kilns'][firing['kiln']]['firing'] = None
        # Miss pieces
        for piece in DATA['pieces']:
            if piece['state'] == 'waiting' and piece['due'] == DATA['now']:
                piece['state'] = 'missed'
        # Start planned firings
        for firing in DATA['firings']:
            if firing['state'] == 'planned' and firing['starts'] == DATA['now']:
                kiln = DATA['kilns'][firing['kiln']]
                # Load the pieces
                loaded = []
                used = 0
                queue = []
                for piece in DATA['pieces']:
                    if piece['state'] == 'waiting':
                        queue.append(piece)
                queue.sort(key=lambda p: (p['rank'], 0 if p['due'] is not None else 1, p['due'] if p['due'] is not None else 0, int(p['id'][1:])))
                for piece in queue:
                    if piece['due'] is not None and firing['ends'] > piece['due']:
                        continue
                    if firing['heat'] < piece['heat'] or firing['heat'] > piece['heat'] + 40:
                        continue
                    if used + piece['size'] > kiln['room']:
                        continue
                    loaded.append(piece['id'])
                    used = used + piece['size']
                if len(loaded) == 0:
                    firing['state'] = 'empty'
                else:
                    firing['state'] = 'firing'
                    firing['pieces'] = loaded
                    firing['used'] = used
                    for piece_id in loaded:
                        piece = find_piece(piece_id)
                        piece['state'] = 'firing'
                        piece['firing'] = firing['id']
                    kiln['firing'] = firing['id']
    DATA['now'] = target


def process(method, target, raw):
    """Process a request and return the status and the body."""
    url = urlparse(target)
    parts = url.path.split('/')[1:]
    params = parse_qs(url.query, keep_blank_values=True)
    # Clock
    if parts == ['clock']:
        if method == 'GET':
            return 200, {'now': DATA['now']}
        elif method == 'POST':
            body = parse_body(raw)
            if body is None:
                return 400, {'fault': 'not-json'}
            if 'by' not in body or not is_int(body['by'], 0, 100000):
                return wrong('by')
            for key in sorted(body.keys()):
                if key not in ['by']:
                    return wrong(key)
            advance(body['by'])
            save_data()
            return 200, {'now': DATA['now']}
        else:
            return 405, {'fault': 'unknown-method'}
    # Kilns
    elif parts == ['kilns']:
        if method == 'GET':
            result = []
            for kiln_id in sorted(DATA['kilns'].keys()):
                result.append(kiln_to_json(DATA['kilns'][kiln_id]))
            return 200, {'kilns': result}
        elif method == 'POST':
            body = parse_body(raw)
            if body is None:
                return 400, {'fault': 'not-json'}
            if 'id' not in body or not is_name(body['id']):
                return wrong('id')
            if 'room' not in body or not is_int(body['room'], 1, 500):
                return wrong('room')
            if 'max_heat' not in body or not is_int(body['max_heat'], 100, 1400):
                return wrong('max_heat')
            if 'rate' not in body or not is_int(body['rate'], 1, 50):
                return wrong('rate')
            for key in sorted(body.keys()):
                if key not in ['id', 'room', 'max_heat', 'rate']:
                    return wrong(key)
            if body['id'] in DATA['kilns']:
                return 409, {'fault': 'kiln-exists'}
            kiln = {
                'id': body['id'],
                'room': body['room'],
                'max_heat': body['max_heat'],
                'rate': body['rate'],
                'firing': None,
            }
            DATA['kilns'][kiln['id']] = kiln
            save_data()
            return 201, kiln_to_json(kiln)
        else:
            return 405, {'fault': 'unknown-method'}
    elif len(parts) == 2 and parts[0] == 'kilns' and parts[1] != '':
        if method == 'GET':
            if parts[1] not in DATA['kilns']:
                return 404, {'fault': 'no-kiln'}
            return 200, kiln_to_json(DATA['kilns'][parts[1]])
        else:
            return 405, {'fault': 'unknown-method'}
    elif len(parts) == 3 and parts[0] == 'kilns' and parts[1] != '' and parts[2] == 'plan':
        if method == 'GET':
            if parts[1] not in DATA['kilns']:
                return 404, {'fault': 'no-kiln'}
            result = []
            for firing in DATA['firings']:
                if firing['kiln'] == parts[1] and firing['state'] in ['planned', 'firing']:
                    result.append(firing_to_json(firing))
            result.sort(key=lambda f: f['starts'])
            return 200, {'plan': result}
        else:
            return 405, {'fault': 'unknown-method'}
    # Pieces
    elif parts == ['pieces']:
        if method == 'GET':
            if 'state' in params:
                if params['state'][0] not in ['waiting', 'firing', 'fired', 'missed', 'cancelled']:
                    return wrong('state')
            if 'owner' in params:
                if not is_text(params['owner'][0]):
                    return wrong('owner')
            result = []
            for piece in DATA['pieces']:
                if 'state' in params and piece['state'] != params['state'][0]:
                    continue
                if 'owner' in params and piece['owner'] != params['owner'][0]:
                    continue
                result.append(piece_to_json(piece))
            return 200, {'pieces': result}
        elif method == 'POST':
            body = parse_body(raw)
            if body is None:
                return 400, {'fault': 'not-json'}
            if 'owner' not in body or not is_text(body['owner']):
                return wrong('owner')
            if 'size' not in body or not is_int(body['size'], 1, 500):
                return wrong('size')
            if 'heat' not in body or not is_int(body['heat'], 100, 1400):
                return wrong('heat')
            if 'rank' in body and not is_int(body['rank'], 1, 9):
                return wrong('rank')
            if 'due' in body and not is_int(body['due'], 0, 10000000):
                return wrong('due')
            for key in sorted(body.keys()):
                if key not in ['owner', 'size', 'heat', 'rank', 'due']:
                    return wrong(key)
            if 'due' in body and body['due'] <= DATA['now']:
                return 409, {'fault': 'in-the-past'}
            piece = {
                'id': 'P' + str(len(DATA['pieces']) + 1),
                'owner': body['owner'],
                'size': body['size'],
                'heat': body['heat'],
                'rank': body.get('rank', 5),
                'due': body.get('due'),
                'booked_at': DATA['now'],
                'state': 'waiting',
                'firing': None,
            }
            DATA['pieces'].append(piece)
            save_data()
            return 201, piece_to_json(piece)
        else:
            return 405, {'fault': 'unknown-method'}
    elif len(parts) == 2 and parts[0] == 'pieces' and parts[1] != '':
        if method == 'GET':
            piece = find_piece(parts[1])
            if piece is None:
                return 404, {'fault': 'no-piece'}
            return 200, piece_to_json(piece)
        elif method == 'PATCH':
            body = parse_body(raw)
            if body is None:
                return 400, {'fault': 'not-json'}
            if 'rank' in body and not is_int(body['rank'], 1, 9):
                return wrong('rank')
            if 'due' in body and body['due'] is not None and not is_int(body['due'], 0, 10000000):
                return wrong('due')
            for key in sorted(body.keys()):
                if key not in ['rank', 'due']:
                    return wrong(key)
            piece = find_piece(parts[1])
            if piece is None:
                return 404, {'fault': 'no-piece'}
            if piece['state'] == 'firing':
                return 409, {'fault': 'in-the-fire'}
            if piece['state'] == 'fired' or piece['state'] == 'missed' or piece['state'] == 'cancelled':
                return 409, {'fault': 'piece-over'}
            if 'due' in body and body['due'] is not None and body['due'] <= DATA['now']:
                return 409, {'fault': 'in-the-past'}
            if 'rank' in body:
                piece['rank'] = body['rank']
            if 'due' in body:
                piece['due'] = body['due']
            save_data()
            return 200, piece_to_json(piece)
        else:
            return 405, {'fault': 'unknown-method'}
    elif len(parts) == 3 and parts[0] == 'pieces' and parts[1] != '' and parts[2] == 'cancel':
        if method == 'POST':
            piece = find_piece(parts[1])
            if piece is None:
                return 404, {'fault': 'no-piece'}
            if piece['state'] == 'firing':
                return 409, {'fault': 'in-the-fire'}
            if piece['state'] == 'fired' or piece['state'] == 'missed' or piece['state'] == 'cancelled':
                return 409, {'fault': 'piece-over'}
            piece['state'] = 'cancelled'
            save_data()
            return 200, piece_to_json(piece)
        else:
            return 405, {'fault': 'unknown-method'}
    # Firings
    elif parts == ['firings']:
        if method == 'GET':
            if 'kiln' in params:
                if not is_name(params['kiln'][0]):
                    return wrong('kiln')
            if 'state' in params:
                if params['state'][0] not in ['planned', 'firing', 'done', 'empty', 'cancelled', 'stopped']:
                    return wrong('state')
            if 'kiln' in params:
                if params['kiln'][0] not in DATA['kilns']:
                    return 404, {'fault': 'no-kiln'}
            result = []
            for firing in DATA['firings']:
                if 'kiln' in params and firing['kiln'] != params['kiln'][0]:
                    continue
                if 'state' in params and firing['state'] != params['state'][0]:
                    continue
                result.append(firing_to_json(firing))
            return 200, {'firings': result}
        elif method == 'POST':
            body = parse_body(raw)
            if body is None:
                return 400, {'fault': 'not-json'}
            if 'kiln' not in body or not is_name(body['kiln']):
                return wrong('kiln')
            if 'heat' not in body or not is_int(body['heat'], 100, 1400):
                return wrong('heat')
            if 'hold' in body and not is_int(body['hold'], 0, 600):
                return wrong('hold')
            if 'start' in body and not is_int(body['start'], 0, 10000000):
                return wrong('start')
            for key in sorted(body.keys()):
                if key not in ['kiln', 'heat', 'hold', 'start']:
                    return wrong(key)
            if body['kiln'] not in DATA['kilns']:
                return 404, {'fault': 'no-kiln'}
            kiln = DATA['kilns'][body['kiln']]
            heat = body['heat']
            hold = body.get('hold', 30)
            start = body.get('start', DATA['now'])
            if start < DATA['now']:
                return 409, {'fault': 'in-the-past'}
            if heat > kiln['max_heat']:
                return 409, {'fault': 'too-hot', 'max_heat': kiln['max_heat']}
            # Calculate the duration
            rise = heat - 20
            minutes = rise // kiln['rate']
            if rise % kiln['rate'] != 0:
                minutes = minutes + 1
            ends = start + minutes + hold
            # Check the overlap
            blocker = None
            for other in DATA['firings']:
                if other['kiln'] == kiln['id'] and other['state'] in ['planned', 'firing']:
                    if start < other['ends'] and other['starts'] < ends:
                        if blocker is None or other['starts'] < blocker['starts']:
                            blocker = other
            if blocker is not None:
                return 409, {'fault': 'kiln-busy', 'until': blocker['ends']}
            if start > DATA['now']:
                firing = {
                    'id': 'F' + str(len(DATA['firings']) + 1),
                    'kiln': kiln['id'],
                    'heat': heat,
                    'hold': hold,
                    'starts': start,
                    'ends': ends,
                    'state': 'planned',
                    'pieces': [],
                    'used': 0,
                }
                DATA['firings'].append(firing)
                save_data()
                return 201, firing_to_json(firing)
            # Load the pieces
            loaded = []
            used = 0
            queue = []
            for piece in DATA['pieces']:
                if piece['state'] == 'waiting':
                    queue.append(piece)
            queue.sort(key=lambda p: (p['rank'], 0 if p['due'] is not None else 1, p['due'] if p['due'] is not None else 0, int(p['id'][1:])))
            for piece in queue:
                if piece['due'] is not None and ends > piece['due']:
                    continue
                if heat < piece['heat'] or heat > piece['heat'] + 40:
                    continue
                if used + piece['size'] > kiln['room']:
                    continue
                loaded.append(piece['id'])
                used = used + piece['size']
            if len(loaded) == 0:
                return 409, {'fault': 'nothing-to-fire'}
            firing = {
                'id': 'F' + str(len(DATA['firings']) + 1),
                'kiln': kiln['id'],
                'heat': heat,
                'hold': hold,
                'starts': start,
                'ends': ends,
                'state': 'firing',
                'pieces': loaded,
                'used': used,
            }
            DATA['firings'].append(firing)
            for piece_id in loaded:
                piece = find_piece(piece_id)
                piece['state'] = 'firing'
                piece['firing'] = firing['id']
            kiln['firing'] = firing['id']
            save_data()
            return 201, firing_to_json(firing)
        else:
            return 405, {'fault': 'unknown-method'}
    elif len(parts) == 2 and parts[0] == 'firings' and parts[1] != '':
        if method == 'GET':
            firing = find_firing(parts[1])
            if firing is None:
                return 404, {'fault': 'no-firing'}
            return 200, firing_to_json(firing)
        else:
            return 405, {'fault': 'unknown-method'}
    elif len(parts) == 3 and parts[0] == 'firings' and parts[1] != '' and parts[2] == 'cancel':
        if method == 'POST':
            firing = find_firing(parts[1])
            if firing is None:
                return 404, {'fault': 'no-firing'}
            if firing['state'] == 'planned':
                firing['state'] = 'cancelled'
            elif firing['state'] == 'firing':
                firing['state'] = 'stopped'
                firing['ends'] = DATA['now']
                for piece_id in firing['pieces']:
                    piece = find_piece(piece_id)
                    piece['state'] = 'waiting'
                    piece['firing'] = None
                DATA['kilns'][firing['kiln']]['firing'] = None
            else:
                return 409, {'fault': 'firing-over'}
            save_data()
            return 200, firing_to_json(firing)
        else:
            return 405, {'fault': 'unknown-method'}
    else:
        return 404, {'fault': 'unknown-path'}


class Handler(BaseHTTPRequestHandler):
    """Request handler."""
    protocol_version = 'HTTP/1.1'
    wbufsize = -1

    def log_message(self, format, *args):
        pass

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
        length = self.headers.get('Content-Length')
        raw = b''
        if length is not None:
            raw = self.rfile.read(int(length))
        with LOCK:
            status, body = process(method, self.path, raw)
        data = json.dumps(body).encode('utf-8')
        self.send_response(status)
        self.send_header('Content-Type', 'application/json')
        self.send_header('Content-Length', str(len(data)))
        self.end_headers()
        self.wfile.write(data)


class Server(ThreadingHTTPServer):
    """Server."""
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
