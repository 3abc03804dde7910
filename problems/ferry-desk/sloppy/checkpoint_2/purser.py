#!/usr/bin/env python3
"""
Purser - Booking service for a ferry line.

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
    'clock': 0,
    'sailings': {},
    'bookings': {},
    'next_booking': 1,
    'idempotency': {},
}
DATA_FILE = None
LOCK = threading.Lock()

MAX_MINUTE = 10000000
ID_CHARS = 'abcdefghijklmnopqrstuvwxyz0123456789-'


class ApiError(Exception):
    """Custom exception for API errors."""

    def __init__(self, status, body):
        self.status = status
        self.body = body


class Replay(Exception):
    """Raised when a response is replayed."""

    def __init__(self, entry):
        self.entry = entry


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
    """Check if the value is a number."""
    if isinstance(value, bool):
        return False
    if isinstance(value, int):
        return True
    return False


def is_text(value):
    """Check if the value is a valid text."""
    if not isinstance(value, str):
        return False
    if len(value) < 1:
        return False
    if len(value) > 60:
        return False
    for ch in value:
        if ord(ch) < 32 or ord(ch) == 127:
            return False
    if value[0] == ' ' or value[-1] == ' ':
        return False
    return True


def is_id(value):
    """Check if the value is a valid id."""
    if not isinstance(value, str):
        return False
    if len(value) < 1 or len(value) > 24:
        return False
    for ch in value:
        if ch not in ID_CHARS:
            return False
    if value[0] in '0123456789-':
        return False
    return True


def bad_field(field):
    """Create a bad field error."""
    return ApiError(422, {'error': 'bad-field', 'field': field})


def validate_sailing(body):
    """Validate the fields of a sailing."""
    # Validate id
    if 'id' not in body or not is_id(body['id']):
        raise bad_field('id')
    # Validate from
    if 'from' not in body or not is_text(body['from']):
        raise bad_field('from')
    # Validate to
    if 'to' not in body or not is_text(body['to']):
        raise bad_field('to')
    if body['to'] == body['from']:
        raise bad_field('to')
    # Validate departs
    if 'departs' not in body or not is_number(body['departs']):
        raise bad_field('departs')
    if body['departs'] < 0 or body['departs'] > MAX_MINUTE:
        raise bad_field('departs')
    # Validate persons
    if 'persons' not in body or not is_number(body['persons']):
        raise bad_field('persons')
    if body['persons'] < 1 or body['persons'] > 5000:
        raise bad_field('persons')
    # Validate metres
    if 'metres' not in body or not is_number(body['metres']):
        raise bad_field('metres')
    if body['metres'] < 0 or body['metres'] > 5000:
        raise bad_field('metres')
    # Validate person_fare
    if 'person_fare' not in body or not is_number(body['person_fare']):
        raise bad_field('person_fare')
    if body['person_fare'] < 0 or body['person_fare'] > 100000:
        raise bad_field('person_fare')
    # Validate metre_fare
    if 'metre_fare' not in body or not is_number(body['metre_fare']):
        raise bad_field('metre_fare')
    if body['metre_fare'] < 0 or body['metre_fare'] > 100000:
        raise bad_field('metre_fare')
    # Check for unknown fields
    for key in sorted(body.keys()):
        if key not in ['id', 'from', 'to', 'departs', 'persons', 'metres', 'person_fare', 'metre_fare']:
            raise bad_field(key)


def validate_booking(body):
    """Validate the fields of a booking."""
    # Validate sailing
    if 'sailing' not in body or not is_id(body['sailing']):
        raise bad_field('sailing')
    # Validate name
    if 'name' not in body or not is_text(body['name']):
        raise bad_field('name')
    # Validate persons
    if 'persons' not in body or not is_number(body['persons']):
        raise bad_field('persons')
    if body['persons'] < 1 or body['persons'] > 500:
        raise bad_field('persons')
    # Validate metres
    if 'metres' in body:
        if not is_number(body['metres']):
            raise bad_field('metres')
        if body['metres'] < 0 or body['metres'] > 100:
            raise bad_field('metres')
    # Validate hold
    if 'hold' in body:
        if not is_number(body['hold']):
            raise bad_field('hold')
        if body['hold'] < 1 or body['hold'] > 10080:
            raise bad_field('hold')
    # Validate wait
    if 'wait' in body:
        if body['wait'] is not True and body['wait'] is not False:
            raise bad_field('wait')
    # Check for unknown fields
    for key in sorted(body.keys()):
        if key not in ['sailing', 'name', 'persons', 'metres', 'hold', 'wait']:
            raise bad_field(key)


def get_free_persons(sailing):
    """Get the free persons of a sailing."""
    free = sailing['persons']
    for booking in DATA['bookings'].values():
        if booking['sailing'] == sailing['id']:
            if booking['state'] == 'booked' or booking['state'] == 'held':
                free = free - booking['persons']
    return free


def get_free_metres(sailing):
    """Get the free metres of a sailing."""
    free = sailing['metres']
    for booking in DATA['bookings'].values():
        if booking['sailing'] == sailing['id']:
            if booking['state'] == 'booked' or booking['state'] == 'held':
                free = free - booking['metres']
    return free


def sailing_to_json(sailing):
    """Convert a sailing to its JSON representation."""
    result = {}
    result['id'] = sailing['id']
    result['from'] = sailing['from']
    result['to'] = sailing['to']
    result['departs'] = sailing['departs']
    result['persons'] = sailing['persons']
    result['metres'] = sailing['metres']
    result['person_fare'] = sailing['person_fare']
    result['metre_fare'] = sailing['metre_fare']
    result['free_persons'] = get_free_persons(sailing)
    result['free_metres'] = get_free_metres(sailing)
    return result


def booking_to_json(booking):
    """Convert a booking to its JSON representation."""
    result = {}
    result['id'] = booking['id']
    result['sailing'] = booking['sailing']
    result['name'] = booking['name']
    result['persons'] = booking['persons']
    result['metres'] = booking['metres']
    result['price'] = booking['price']
    result['booked_at'] = booking['booked_at']
    result['state'] = booking['state']
    if booking['state'] == 'cancelled':
        result['refund'] = booking['refund']
    if 'hold' in booking and booking['hold'] is not None:
        result['hold'] = booking['hold']
    if booking['state'] == 'held':
        result['held_until'] = booking['held_until']
    if booking['state'] == 'lapsed':
        result['lapsed_at'] = booking['lapsed_at']
    if 'promoted_at' in booking:
        result['promoted_at'] = booking['promoted_at']
    if booking['state'] == 'waiting':
        # Calculate the position in the waiting list
        position = 1
        for other in DATA['bookings'].values():
            if other['sailing'] == booking['sailing'] and other['state'] == 'waiting':
                if int(other['id'][1:]) < int(booking['id'][1:]):
                    position = position + 1
        result['position'] = position
    return result


def promote_waiting(sailing, now):
    """Promote the waiting bookings of a sailing."""
    # No promotion after departure
    if now >= sailing['departs']:
        return
    waiting = []
    for booking in DATA['bookings'].values():
        if booking['sailing'] == sailing['id'] and booking['state'] == 'waiting':
            waiting.append(booking)
    waiting.sort(key=lambda b: int(b['id'][1:]))
    for booking in waiting:
        free_persons = get_free_persons(sailing)
        free_metres = get_free_metres(sailing)
        if booking['persons'] <= free_persons and booking['metres'] <= free_metres:
            if 'hold' in booking and booking['hold'] is not None:
                booking['state'] = 'held'
                held_until = now + booking['hold']
                if held_until > sailing['departs']:
                    held_until = sailing['departs']
                booking['held_until'] = held_until
            else:
                booking['state'] = 'booked'
            booking['promoted_at'] = now


def process_clock(new_now):
    """Process everything that happens until the new time."""
    while True:
        # Find the next event
        best = None
        best_time = None
        for booking in DATA['bookings'].values():
            if booking['state'] == 'held':
                event_time = booking['held_until']
            elif booking['state'] == 'waiting':
                event_time = DATA['sailings'][booking['sailing']]['departs']
            else:
                continue
            if event_time > new_now:
                continue
            if best is None:
                best = booking
                best_time = event_time
            elif event_time < best_time:
                best = booking
                best_time = event_time
            elif event_time == best_time and int(booking['id'][1:]) < int(best['id'][1:]):
                best = booking
                best_time = event_time
        if best is None:
            break
        # Process the event
        DATA['clock'] = best_time
        if best['state'] == 'held':
            best['state'] = 'lapsed'
            best['lapsed_at'] = best_time
            promote_waiting(DATA['sailings'][best['sailing']], best_time)
        else:
            best['state'] = 'missed'
    DATA['clock'] = new_now


def is_same_json(a, b):
    """Check if two JSON values are the same."""
    return json.dumps(a, sort_keys=True) == json.dumps(b, sort_keys=True)


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


class Handler(BaseHTTPRequestHandler):
    """Request handler."""
    protocol_version = 'HTTP/1.1'
    wbufsize = -1

    def log_message(self, format, *args):
        pass

    def send_json(self, status, body, location=None):
        """Send a JSON response."""
        # Remember the response if there is an idempotency key
        if self.idem_key is not None and status >= 200 and status < 300:
            DATA['idempotency'][self.idem_key] = {
                'path': self.path,
                'request': self.idem_body,
                'status': status,
                'body': body,
                'location': location,
                'time': DATA['clock'],
            }
            save_data()
        self.write_json(status, body, location, False)

    def write_json(self, status, body, location, replay):
        """Write a JSON response."""
        data = json.dumps(body).encode('utf-8')
        self.send_response(status)
        self.send_header('Content-Type', 'application/json')
        self.send_header('Content-Length', str(len(data)))
        if location is not None:
            self.send_header('Location', location)
        if replay:
            self.send_header('Idempotent-Replay', 'true')
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
            raise ApiError(400, {'error': 'bad-json'})
        if not isinstance(body, dict):
            raise ApiError(400, {'error': 'bad-json'})
        self.check_idempotency(body)
        return body

    def check_key(self):
        """Check the format of the idempotency key."""
        if self.command != 'POST':
            return
        key = self.headers.get('Idempotency-Key')
        if key is None:
            return
        if len(key) < 1 or len(key) > 64:
            raise ApiError(400, {'error': 'bad-key'})
        for ch in key:
            if ord(ch) < 33 or ord(ch) > 126:
                raise ApiError(400, {'error': 'bad-key'})
        self.key = key

    def check_idempotency(self, body):
        """Check if the request was already processed."""
        if self.key is None:
            return
        if self.key in DATA['idempotency']:
            entry = DATA['idempotency'][self.key]
            # Check if the key is expired
            if DATA['clock'] < entry['time'] + 1440:
                if entry['path'] != self.path or not is_same_json(entry['request'], body):
                    raise ApiError(422, {'error': 'key-reused'})
                raise Replay(entry)
            else:
                del DATA['idempotency'][self.key]
        self.idem_key = self.key
        self.idem_body = body

    def no_params(self, query):
        """Check that there are no query parameters."""
        for name, value in parse_query(query):
            raise bad_field(name)

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
        self.key = None
        self.idem_key = None
        self.idem_body = None
        raw = self.read_raw()
        url = urlparse(self.path)
        parts = url.path.split('/')[1:]
        with LOCK:
            try:
                self.route(method, parts, url.query, raw)
            except Replay as r:
                self.write_json(r.entry['status'], r.entry['body'], r.entry['location'], True)
            except ApiError as e:
                self.send_json(e.status, e.body)

    def route(self, method, parts, query, raw):
        """Route the request to its handler."""
        # Clock
        if parts == ['clock']:
            if method == 'GET':
                self.no_params(query)
                self.send_json(200, {'now': DATA['clock']})
            elif method == 'PUT':
                self.put_clock(query, raw)
            else:
                raise ApiError(405, {'error': 'no-such-method'})
        # Sailings
        elif parts == ['sailings']:
            if method == 'GET':
                self.list_sailings(query)
            elif method == 'POST':
                self.check_key()
                self.create_sailing(query, raw)
            else:
                raise ApiError(405, {'error': 'no-such-method'})
        elif len(parts) == 2 and parts[0] == 'sailings' and parts[1] != '':
            if method == 'GET':
                self.get_sailing(parts[1], query)
            else:
                raise ApiError(405, {'error': 'no-such-method'})
        elif len(parts) == 3 and parts[0] == 'sailings' and parts[1] != '' and parts[2] == 'bookings':
            if method == 'GET':
                self.list_bookings(parts[1], query)
            else:
                raise ApiError(405, {'error': 'no-such-method'})
        elif len(parts) == 3 and parts[0] == 'sailings' and parts[1] != '' and parts[2] == 'waiting':
            if method == 'GET':
                self.list_waiting(parts[1], query)
            else:
                raise ApiError(405, {'error': 'no-such-method'})
        # Bookings
        elif parts == ['bookings']:
            if method == 'POST':
                self.check_key()
                self.create_booking(query, raw)
            else:
                raise ApiError(405, {'error': 'no-such-method'})
        elif len(parts) == 2 and parts[0] == 'bookings' and parts[1] != '':
            if method == 'GET':
                self.get_booking(parts[1], query)
            else:
                raise ApiError(405, {'error': 'no-such-method'})
        elif len(parts) == 3 and parts[0] == 'bookings' and parts[1] != '' and parts[2] == 'cancel':
            if method == 'POST':
                self.check_key()
                self.check_idempotency(None)
                self.cancel_booking(parts[1], query)
            else:
                raise ApiError(405, {'error': 'no-such-method'})
        elif len(parts) == 3 and parts[0] == 'bookings' and parts[1] != '' and parts[2] == 'confirm':
            if method == 'POST':
                self.check_key()
                self.check_idempotency(None)
                self.confirm_booking(parts[1], query)
            else:
                raise ApiError(405, {'error': 'no-such-method'})
        else:
            raise ApiError(404, {'error': 'no-such-path'})

    def put_clock(self, query, raw):
        """Set the clock."""
        body = self.parse_body(raw)
        self.no_params(query)
        if 'now' not in body or not is_number(body['now']):
            raise bad_field('now')
        if body['now'] < 0 or body['now'] > MAX_MINUTE:
            raise bad_field('now')
        for key in sorted(body.keys()):
            if key not in ['now']:
                raise bad_field(key)
        if body['now'] < DATA['clock']:
            raise ApiError(409, {'error': 'clock-backwards'})
        process_clock(body['now'])
        save_data()
        self.send_json(200, {'now': DATA['clock']})

    def list_sailings(self, query):
        """List all sailings."""
        from_port = None
        to_port = None
        for name, value in parse_query(query):
            if name == 'from':
                if from_port is not None or not is_text(value):
                    raise bad_field('from')
                from_port = value
            elif name == 'to':
                if to_port is not None or not is_text(value):
                    raise bad_field('to')
                to_port = value
            else:
                raise bad_field(name)
        result = []
        for sailing in DATA['sailings'].values():
            if from_port is not None and sailing['from'] != from_port:
                continue
            if to_port is not None and sailing['to'] != to_port:
                continue
            result.append(sailing_to_json(sailing))
        result.sort(key=lambda s: (s['departs'], s['id']))
        self.send_json(200, {'sailings': result})

    def create_sailing(self, query, raw):
        """Create a new sailing."""
        body = self.parse_body(raw)
        self.no_params(query)
        validate_sailing(body)
        if body['id'] in DATA['sailings']:
            raise ApiError(409, {'error': 'sailing-exists'})
        if body['departs'] <= DATA['clock']:
            raise ApiError(409, {'error': 'in-the-past'})
        sailing = {
            'id': body['id'],
            'from': body['from'],
            'to': body['to'],
            'departs': body['departs'],
            'persons': body['persons'],
            'metres': body['metres'],
            'person_fare': body['person_fare'],
            'metre_fare': body['metre_fare'],
        }
        DATA['sailings'][body['id']] = sailing
        save_data()
        self.send_json(201, sailing_to_json(sailing), '/sailings/' + sailing['id'])

    def get_sailing(self, sailing_id, query):
        """Get a sailing."""
        self.no_params(query)
        if sailing_id not in DATA['sailings']:
            raise ApiError(404, {'error': 'no-such-sailing'})
        sailing = DATA['sailings'][sailing_id]
        self.send_json(200, sailing_to_json(sailing))

    def list_bookings(self, sailing_id, query):
        """List the bookings of a sailing."""
        state = None
        for name, value in parse_query(query):
            if name == 'state':
                if state is not None or value not in ['booked', 'held', 'waiting', 'cancelled', 'lapsed', 'missed']:
                    raise bad_field('state')
                state = value
            else:
                raise bad_field(name)
        if sailing_id not in DATA['sailings']:
            raise ApiError(404, {'error': 'no-such-sailing'})
        result = []
        for booking in DATA['bookings'].values():
            if booking['sailing'] == sailing_id:
                if state is None or booking['state'] == state:
                    result.append(booking_to_json(booking))
        result.sort(key=lambda b: int(b['id'][1:]))
        self.send_json(200, {'bookings': result})

    def list_waiting(self, sailing_id, query):
        """List the waiting bookings of a sailing."""
        self.no_params(query)
        if sailing_id not in DATA['sailings']:
            raise ApiError(404, {'error': 'no-such-sailing'})
        result = []
        for booking in DATA['bookings'].values():
            if booking['sailing'] == sailing_id:
                if booking['state'] == 'waiting':
                    result.append(booking_to_json(booking))
        result.sort(key=lambda b: int(b['id'][1:]))
        self.send_json(200, {'bookings': result})

    def create_booking(self, query, raw):
        """Create a new booking."""
        body = self.parse_body(raw)
        self.no_params(query)
        validate_booking(body)
        if body['sailing'] not in DATA['sailings']:
            raise ApiError(404, {'error': 'no-such-sailing'})
        sailing = DATA['sailings'][body['sailing']]
        # Check if the sailing has departed
        if DATA['clock'] >= sailing['departs']:
            raise ApiError(409, {'error': 'departed'})
        metres = body.get('metres', 0)
        # Check if there are enough places
        free_persons = get_free_persons(sailing)
        free_metres = get_free_metres(sailing)
        hold = body.get('hold')
        wait = body.get('wait', False)
        state = 'booked'
        held_until = None
        if body['persons'] > free_persons or metres > free_metres:
            if not wait:
                raise ApiError(409, {'error': 'full', 'free_persons': free_persons, 'free_metres': free_metres})
            # Check if it could fit at all
            if body['persons'] > sailing['persons'] or metres > sailing['metres']:
                raise ApiError(409, {'error': 'full', 'free_persons': free_persons, 'free_metres': free_metres})
            state = 'waiting'
        elif hold is not None:
            state = 'held'
            held_until = DATA['clock'] + hold
            if held_until > sailing['departs']:
                held_until = sailing['departs']
        booking_id = 'B' + str(DATA['next_booking'])
        DATA['next_booking'] = DATA['next_booking'] + 1
        # Calculate the price
        price = body['persons'] * sailing['person_fare'] + metres * sailing['metre_fare']
        booking = {
            'id': booking_id,
            'sailing': body['sailing'],
            'name': body['name'],
            'persons': body['persons'],
            'metres': metres,
            'price': price,
            'booked_at': DATA['clock'],
            'state': state,
            'hold': hold,
        }
        if held_until is not None:
            booking['held_until'] = held_until
        DATA['bookings'][booking_id] = booking
        save_data()
        self.send_json(201, booking_to_json(booking), '/bookings/' + booking_id)

    def get_booking(self, booking_id, query):
        """Get a booking."""
        self.no_params(query)
        if booking_id not in DATA['bookings']:
            raise ApiError(404, {'error': 'no-such-booking'})
        booking = DATA['bookings'][booking_id]
        self.send_json(200, booking_to_json(booking))

    def confirm_booking(self, booking_id, query):
        """Confirm a booking."""
        self.no_params(query)
        if booking_id not in DATA['bookings']:
            raise ApiError(404, {'error': 'no-such-booking'})
        booking = DATA['bookings'][booking_id]
        # Check if the booking is held
        if booking['state'] != 'held':
            raise ApiError(409, {'error': 'not-held'})
        booking['state'] = 'booked'
        save_data()
        self.send_json(200, booking_to_json(booking))

    def cancel_booking(self, booking_id, query):
        """Cancel a booking."""
        self.no_params(query)
        if booking_id not in DATA['bookings']:
            raise ApiError(404, {'error': 'no-such-booking'})
        booking = DATA['bookings'][booking_id]
        # Check if the booking is already cancelled
        if booking['state'] == 'cancelled':
            raise ApiError(409, {'error': 'already-cancelled'})
        # Check if the booking is still open
        if booking['state'] == 'lapsed' or booking['state'] == 'missed':
            raise ApiError(409, {'error': 'not-open'})
        sailing = DATA['sailings'][booking['sailing']]
        # Check if the sailing has departed
        if DATA['clock'] >= sailing['departs']:
            raise ApiError(409, {'error': 'departed'})
        # Calculate the refund
        if booking['state'] == 'held' or booking['state'] == 'waiting':
            booking['refund'] = 0
        elif sailing['departs'] - DATA['clock'] >= 1440:
            booking['refund'] = booking['price']
        else:
            booking['refund'] = booking['price'] // 2
        booking['state'] = 'cancelled'
        promote_waiting(sailing, DATA['clock'])
        save_data()
        self.send_json(200, booking_to_json(booking))


def main():
    """Main entry point."""
    parser = argparse.ArgumentParser(description='Purser')
    parser.add_argument('--port', type=int, required=True)
    parser.add_argument('--data', required=True)
    args = parser.parse_args()
    load_data(args.data)
    ThreadingHTTPServer.request_queue_size = 128
    server = ThreadingHTTPServer(('127.0.0.1', args.port), Handler)
    server.serve_forever()


if __name__ == '__main__':
    main()
