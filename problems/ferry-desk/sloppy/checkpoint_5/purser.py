#!/usr/bin/env python3
"""
Purser - Booking service for a ferry line.

This module implements the HTTP server, the validation and the persistence.
"""
import argparse
import base64
import copy
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
    'changes': [],
    'history': [],
    'fares': {},
}
DATA_FILE = None
LOCK = threading.Lock()
IN_BATCH = False

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
    # The batch is saved at the end
    if IN_BATCH:
        return
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
    if 'sailing' in body:
        if not is_id(body['sailing']):
            raise bad_field('sailing')
    elif 'legs' not in body:
        raise bad_field('sailing')
    # Validate legs
    if 'legs' in body:
        if 'sailing' in body:
            raise bad_field('legs')
        if not isinstance(body['legs'], list):
            raise bad_field('legs')
        if len(body['legs']) < 2 or len(body['legs']) > 4:
            raise bad_field('legs')
        seen = []
        for leg in body['legs']:
            if not is_id(leg):
                raise bad_field('legs')
            if leg in seen:
                raise bad_field('legs')
            seen.append(leg)
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
        if key not in ['sailing', 'legs', 'name', 'persons', 'metres', 'hold', 'wait']:
            raise bad_field(key)


def is_on_sailing(booking, sailing_id):
    """Check if the booking is on the sailing."""
    if booking.get('legs') is not None:
        return sailing_id in booking['legs']
    return booking['sailing'] == sailing_id


def get_departure(booking):
    """Get the departure of a booking."""
    if booking.get('legs') is not None:
        departure = None
        for leg in booking['legs']:
            departs = DATA['sailings'][leg]['departs']
            if departure is None or departs < departure:
                departure = departs
        return departure
    return DATA['sailings'][booking['sailing']]['departs']


def get_position(booking, sailing_id):
    """Get the position in the waiting list of a sailing."""
    position = 1
    for other in DATA['bookings'].values():
        if is_on_sailing(other, sailing_id) and other['state'] == 'waiting':
            if int(other['id'][1:]) < int(booking['id'][1:]):
                position = position + 1
    return position


def get_free_persons(sailing):
    """Get the free persons of a sailing."""
    free = sailing['persons']
    for booking in DATA['bookings'].values():
        if is_on_sailing(booking, sailing['id']):
            if booking['state'] == 'booked' or booking['state'] == 'held':
                free = free - booking['persons']
    return free


def get_free_metres(sailing):
    """Get the free metres of a sailing."""
    free = sailing['metres']
    for booking in DATA['bookings'].values():
        if is_on_sailing(booking, sailing['id']):
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
    if 'withdrawn_at' in sailing:
        result['withdrawn_at'] = sailing['withdrawn_at']
    return result


def booking_to_json(booking):
    """Convert a booking to its JSON representation."""
    result = {}
    result['id'] = booking['id']
    if booking.get('legs') is not None:
        result['legs'] = booking['legs']
        result['leg_prices'] = booking['leg_prices']
    else:
        result['sailing'] = booking['sailing']
    result['name'] = booking['name']
    result['persons'] = booking['persons']
    result['metres'] = booking['metres']
    result['price'] = booking['price']
    result['booked_at'] = booking['booked_at']
    result['state'] = booking['state']
    if booking['state'] == 'cancelled' or booking['state'] == 'withdrawn':
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
        if booking.get('legs') is not None:
            positions = []
            for leg in booking['legs']:
                positions.append(get_position(booking, leg))
            result['positions'] = positions
        else:
            result['position'] = get_position(booking, booking['sailing'])
    return result


def add_change(what, item, at):
    """Add a change to the feed."""
    item['version'] = item.get('version', 0) + 1
    DATA['changes'].append({
        'seq': len(DATA['changes']) + 1,
        'at': at,
        'what': what,
        'id': item['id'],
        'version': item['version'],
    })
    # Keep a copy of the item for the history
    if what.startswith('sailing'):
        DATA['history'].append({'type': 'sailing', 'at': at, 'item': copy.deepcopy(item)})
    else:
        DATA['history'].append({'type': 'booking', 'at': at, 'item': copy.deepcopy(item)})


def get_data_at(seq):
    """Get the data as it was after a change."""
    result = {
        'clock': DATA['clock'],
        'sailings': {},
        'bookings': {},
        'next_booking': 1,
        'idempotency': {},
        'changes': [],
        'history': [],
        'fares': {},
    }
    i = 0
    while i < seq:
        entry = DATA['history'][i]
        if entry['type'] == 'sailing':
            result['sailings'][entry['item']['id']] = copy.deepcopy(entry['item'])
        elif entry['type'] == 'booking':
            result['bookings'][entry['item']['id']] = copy.deepcopy(entry['item'])
        i = i + 1
    return result


def make_report(data, seq):
    """Make the report."""
    sailings = list(data['sailings'].values())
    sailings.sort(key=lambda s: (s['departs'], s['id']))
    rows = []
    total = 0
    for sailing in sailings:
        booked_persons = 0
        booked_metres = 0
        held_persons = 0
        held_metres = 0
        waiting = 0
        income = 0
        for booking in data['bookings'].values():
            if is_on_sailing(booking, sailing['id']):
                # Find the price of the leg
                price = booking['price']
                refund = booking.get('refund', 0)
                if booking.get('legs') is not None:
                    index = booking['legs'].index(sailing['id'])
                    price = booking['leg_prices'][index]
                    if 'leg_refunds' in booking:
                        refund = booking['leg_refunds'][index]
                if booking['state'] == 'booked':
                    booked_persons = booked_persons + booking['persons']
                    booked_metres = booked_metres + booking['metres']
                    income = income + price
                elif booking['state'] == 'held':
                    held_persons = held_persons + booking['persons']
                    held_metres = held_metres + booking['metres']
                elif booking['state'] == 'waiting':
                    waiting = waiting + 1
                elif booking['state'] == 'cancelled':
                    if booking.get('was_booked'):
                        income = income + price - refund
        rows.append({
            'id': sailing['id'],
            'booked_persons': booked_persons,
            'booked_metres': booked_metres,
            'held_persons': held_persons,
            'held_metres': held_metres,
            'waiting': waiting,
            'income': income,
        })
        total = total + income
    return {'at': seq, 'income': total, 'sailings': rows}


def validate_steps(body):
    """Validate the steps of a batch."""
    if 'steps' not in body or not isinstance(body['steps'], list):
        raise bad_field('steps')
    if len(body['steps']) < 1 or len(body['steps']) > 50:
        raise bad_field('steps')
    for step in body['steps']:
        if not isinstance(step, dict):
            raise bad_field('steps')
        # Validate send
        if 'send' not in step or not is_text(step['send']):
            raise bad_field('steps')
        if len(step['send'].split(' ')) != 2:
            raise bad_field('steps')
        # Validate body
        if 'body' in step and not isinstance(step['body'], dict):
            raise bad_field('steps')
        # Validate version
        if 'version' in step:
            if not is_number(step['version']):
                raise bad_field('steps')
            if step['version'] < 1 or step['version'] > 999999999:
                raise bad_field('steps')
        for key in step.keys():
            if key not in ['send', 'body', 'version']:
                raise bad_field('steps')
    for key in sorted(body.keys()):
        if key not in ['steps']:
            raise bad_field(key)


def promote_waiting(now):
    """Promote the waiting bookings."""
    waiting = []
    for booking in DATA['bookings'].values():
        if booking['state'] == 'waiting':
            waiting.append(booking)
    waiting.sort(key=lambda b: int(b['id'][1:]))
    for booking in waiting:
        departure = get_departure(booking)
        # No promotion after departure
        if now >= departure:
            continue
        fits = True
        if booking.get('legs') is not None:
            for leg in booking['legs']:
                sailing = DATA['sailings'][leg]
                free_persons = get_free_persons(sailing)
                free_metres = get_free_metres(sailing)
                if booking['persons'] > free_persons or booking['metres'] > free_metres:
                    fits = False
        else:
            sailing = DATA['sailings'][booking['sailing']]
            free_persons = get_free_persons(sailing)
            free_metres = get_free_metres(sailing)
            if booking['persons'] > free_persons or booking['metres'] > free_metres:
                fits = False
        if fits:
            if 'hold' in booking and booking['hold'] is not None:
                booking['state'] = 'held'
                held_until = now + booking['hold']
                if held_until > departure:
                    held_until = departure
                booking['held_until'] = held_until
            else:
                booking['state'] = 'booked'
            booking['promoted_at'] = now
            add_change('booking-promoted', booking, now)


def process_clock(new_now):
    """Process everything that happens until the new time."""
    while True:
        # Find the next event
        best = None
        best_time = None
        # Find the next planned fares
        best_fare = None
        best_fare_sailing = None
        for sailing_id in sorted(DATA['fares'].keys()):
            for fare in DATA['fares'][sailing_id]:
                if fare['from'] > new_now:
                    continue
                if best_fare is None or fare['from'] < best_fare['from']:
                    best_fare = fare
                    best_fare_sailing = sailing_id
        for booking in DATA['bookings'].values():
            if booking['state'] == 'held':
                event_time = booking['held_until']
            elif booking['state'] == 'waiting':
                event_time = get_departure(booking)
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
        # Process the planned fares first
        if best_fare is not None:
            if best is None or best_fare['from'] <= best_time:
                DATA['clock'] = best_fare['from']
                DATA['fares'][best_fare_sailing].remove(best_fare)
                sailing = DATA['sailings'][best_fare_sailing]
                if 'withdrawn_at' not in sailing and best_fare['from'] < sailing['departs']:
                    if sailing['person_fare'] != best_fare['person_fare'] or sailing['metre_fare'] != best_fare['metre_fare']:
                        sailing['person_fare'] = best_fare['person_fare']
                        sailing['metre_fare'] = best_fare['metre_fare']
                        add_change('sailing-changed', sailing, best_fare['from'])
                continue
        if best is None:
            break
        # Process the event
        DATA['clock'] = best_time
        if best['state'] == 'held':
            best['state'] = 'lapsed'
            best['lapsed_at'] = best_time
            add_change('booking-lapsed', best, best_time)
            promote_waiting(best_time)
        else:
            best['state'] = 'missed'
            add_change('booking-missed', best, best_time)
    DATA['clock'] = new_now


def is_param_number(value):
    """Check if the value is a number in a parameter."""
    if value == '':
        return False
    for ch in value:
        if ch not in '0123456789':
            return False
    if len(value) > 1 and value[0] == '0':
        return False
    if len(value) > 9:
        return False
    return True


def validate_booking_patch(body):
    """Validate the fields of a booking patch."""
    # Validate name
    if 'name' in body and not is_text(body['name']):
        raise bad_field('name')
    # Validate persons
    if 'persons' in body:
        if not is_number(body['persons']):
            raise bad_field('persons')
        if body['persons'] < 1 or body['persons'] > 500:
            raise bad_field('persons')
    # Validate metres
    if 'metres' in body:
        if not is_number(body['metres']):
            raise bad_field('metres')
        if body['metres'] < 0 or body['metres'] > 100:
            raise bad_field('metres')
    # Check for unknown fields
    for key in sorted(body.keys()):
        if key not in ['name', 'persons', 'metres']:
            raise bad_field(key)


def validate_sailing_patch(body):
    """Validate the fields of a sailing patch."""
    # Validate departs
    if 'departs' in body:
        if not is_number(body['departs']):
            raise bad_field('departs')
        if body['departs'] < 0 or body['departs'] > MAX_MINUTE:
            raise bad_field('departs')
    # Validate persons
    if 'persons' in body:
        if not is_number(body['persons']):
            raise bad_field('persons')
        if body['persons'] < 1 or body['persons'] > 5000:
            raise bad_field('persons')
    # Validate metres
    if 'metres' in body:
        if not is_number(body['metres']):
            raise bad_field('metres')
        if body['metres'] < 0 or body['metres'] > 5000:
            raise bad_field('metres')
    # Validate person_fare
    if 'person_fare' in body:
        if not is_number(body['person_fare']):
            raise bad_field('person_fare')
        if body['person_fare'] < 0 or body['person_fare'] > 100000:
            raise bad_field('person_fare')
    # Validate metre_fare
    if 'metre_fare' in body:
        if not is_number(body['metre_fare']):
            raise bad_field('metre_fare')
        if body['metre_fare'] < 0 or body['metre_fare'] > 100000:
            raise bad_field('metre_fare')
    # Check for unknown fields
    for key in sorted(body.keys()):
        if key not in ['departs', 'persons', 'metres', 'person_fare', 'metre_fare']:
            raise bad_field(key)


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

    def send_json(self, status, body, location=None, etag=None):
        """Send a JSON response."""
        # Collect the response if we are in a batch
        if IN_BATCH:
            if etag is not None:
                self.batch_results.append({'status': status, 'body': copy.deepcopy(body), 'version': etag})
            else:
                self.batch_results.append({'status': status, 'body': copy.deepcopy(body)})
            return
        # Remember the response if there is an idempotency key
        if self.idem_key is not None and status >= 200 and status < 300:
            DATA['idempotency'][self.idem_key] = {
                'path': self.path,
                'request': self.idem_body,
                'status': status,
                'body': copy.deepcopy(body),
                'location': location,
                'etag': etag,
                'time': DATA['clock'],
            }
            save_data()
        self.write_json(status, body, location, False, etag)

    def write_json(self, status, body, location, replay, etag=None):
        """Write a JSON response."""
        data = json.dumps(body).encode('utf-8')
        self.send_response(status)
        self.send_header('Content-Type', 'application/json')
        self.send_header('Content-Length', str(len(data)))
        if location is not None:
            self.send_header('Location', location)
        if etag is not None:
            self.send_header('ETag', '"' + str(etag) + '"')
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
        if not IN_BATCH:
            self.check_idempotency(body)
        return body

    def check_key(self):
        """Check the format of the idempotency key."""
        if self.command != 'POST':
            return
        key = self.headers.get('Idempotency-Key')
        if IN_BATCH:
            return
        if key is None:
            return
        if len(key) < 1 or len(key) > 64:
            raise ApiError(400, {'error': 'bad-key'})
        for ch in key:
            if ord(ch) < 33 or ord(ch) > 126:
                raise ApiError(400, {'error': 'bad-key'})
        self.key = key

    def check_if_match(self, required):
        """Check the format of the If-Match header."""
        if IN_BATCH:
            # The version comes from the step
            if self.batch_version is None:
                if required:
                    raise ApiError(428, {'error': 'need-version'})
                return
            self.if_match = self.batch_version
            return
        value = self.headers.get('If-Match')
        if value is None:
            if required:
                raise ApiError(428, {'error': 'need-version'})
            return
        if len(value) < 3 or value[0] != '"' or value[-1] != '"':
            raise ApiError(400, {'error': 'bad-version'})
        number = value[1:-1]
        if not is_param_number(number) or number == '0':
            raise ApiError(400, {'error': 'bad-version'})
        self.if_match = int(number)

    def check_version(self, item):
        """Check if the version of the item is the expected one."""
        if self.if_match is not None:
            if item['version'] != self.if_match:
                raise ApiError(412, {'error': 'stale', 'version': item['version']})

    def check_idempotency(self, body):
        """Check if the request was already processed."""
        if self.key is None or IN_BATCH:
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
        self.if_match = None
        self.idem_body = None
        raw = self.read_raw()
        url = urlparse(self.path)
        parts = url.path.split('/')[1:]
        with LOCK:
            try:
                self.route(method, parts, url.query, raw)
            except Replay as r:
                self.write_json(r.entry['status'], r.entry['body'], r.entry['location'], True, r.entry['etag'])
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
            elif method == 'PATCH':
                self.check_if_match(True)
                self.patch_sailing(parts[1], query, raw)
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
        elif len(parts) == 3 and parts[0] == 'sailings' and parts[1] != '' and parts[2] == 'withdraw':
            if method == 'POST':
                self.check_key()
                self.check_if_match(False)
                self.check_idempotency(None)
                self.withdraw_sailing(parts[1], query)
            else:
                raise ApiError(405, {'error': 'no-such-method'})
        elif len(parts) == 3 and parts[0] == 'sailings' and parts[1] != '' and parts[2] == 'fares':
            if method == 'GET':
                self.list_fares(parts[1], query)
            elif method == 'POST':
                self.check_key()
                self.plan_fares(parts[1], query, raw)
            else:
                raise ApiError(405, {'error': 'no-such-method'})
        # Bookings
        elif parts == ['bookings']:
            if method == 'POST':
                self.check_key()
                self.create_booking(query, raw)
            elif method == 'GET':
                self.page_bookings(query)
            else:
                raise ApiError(405, {'error': 'no-such-method'})
        elif len(parts) == 2 and parts[0] == 'bookings' and parts[1] != '':
            if method == 'GET':
                self.get_booking(parts[1], query)
            elif method == 'PATCH':
                self.check_if_match(True)
                self.patch_booking(parts[1], query, raw)
            else:
                raise ApiError(405, {'error': 'no-such-method'})
        elif len(parts) == 3 and parts[0] == 'bookings' and parts[1] != '' and parts[2] == 'cancel':
            if method == 'POST':
                self.check_key()
                self.check_if_match(False)
                self.check_idempotency(None)
                self.cancel_booking(parts[1], query)
            else:
                raise ApiError(405, {'error': 'no-such-method'})
        elif len(parts) == 3 and parts[0] == 'bookings' and parts[1] != '' and parts[2] == 'confirm':
            if method == 'POST':
                self.check_key()
                self.check_if_match(False)
                self.check_idempotency(None)
                self.confirm_booking(parts[1], query)
            else:
                raise ApiError(405, {'error': 'no-such-method'})
        # Batches
        elif parts == ['batches']:
            if method == 'POST':
                self.check_key()
                self.run_batch(query, raw)
            else:
                raise ApiError(405, {'error': 'no-such-method'})
        # Report
        elif parts == ['report']:
            if method == 'GET':
                self.get_report(query)
            else:
                raise ApiError(405, {'error': 'no-such-method'})
        # Changes
        elif parts == ['changes']:
            if method == 'GET':
                self.list_changes(query)
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
        at = None
        for name, value in parse_query(query):
            if name == 'at':
                if at is not None or not is_param_number(value):
                    raise bad_field('at')
                at = int(value)
            elif name == 'from':
                if from_port is not None or not is_text(value):
                    raise bad_field('from')
                from_port = value
            elif name == 'to':
                if to_port is not None or not is_text(value):
                    raise bad_field('to')
                to_port = value
            else:
                raise bad_field(name)
        if at is not None:
            old_data = self.go_back(at)
        result = []
        for sailing in DATA['sailings'].values():
            if from_port is not None and sailing['from'] != from_port:
                continue
            if to_port is not None and sailing['to'] != to_port:
                continue
            result.append(sailing_to_json(sailing))
        result.sort(key=lambda s: (s['departs'], s['id']))
        if at is not None:
            self.go_forward(old_data)
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
        add_change('sailing-added', sailing, DATA['clock'])
        save_data()
        self.send_json(201, sailing_to_json(sailing), '/sailings/' + sailing['id'], sailing['version'])

    def get_sailing(self, sailing_id, query):
        """Get a sailing."""
        at = self.parse_at(query)
        if at is not None:
            old_data = self.go_back(at)
            try:
                if sailing_id not in DATA['sailings']:
                    raise ApiError(404, {'error': 'no-such-sailing'})
                sailing = DATA['sailings'][sailing_id]
                result = sailing_to_json(sailing)
            finally:
                self.go_forward(old_data)
            self.send_json(200, result, None, sailing['version'])
            return
        if sailing_id not in DATA['sailings']:
            raise ApiError(404, {'error': 'no-such-sailing'})
        sailing = DATA['sailings'][sailing_id]
        self.send_json(200, sailing_to_json(sailing), None, sailing['version'])

    def patch_sailing(self, sailing_id, query, raw):
        """Update a sailing."""
        body = self.parse_body(raw)
        self.no_params(query)
        validate_sailing_patch(body)
        if sailing_id not in DATA['sailings']:
            raise ApiError(404, {'error': 'no-such-sailing'})
        sailing = DATA['sailings'][sailing_id]
        self.check_version(sailing)
        # Check if the sailing is withdrawn
        if 'withdrawn_at' in sailing:
            raise ApiError(409, {'error': 'withdrawn'})
        # Check if the sailing has departed
        if DATA['clock'] >= sailing['departs']:
            raise ApiError(409, {'error': 'departed'})
        if 'departs' in body and body['departs'] <= DATA['clock']:
            raise ApiError(409, {'error': 'in-the-past'})
        # Check if the places are taken
        taken_persons = sailing['persons'] - get_free_persons(sailing)
        taken_metres = sailing['metres'] - get_free_metres(sailing)
        if 'persons' in body and body['persons'] < taken_persons:
            raise ApiError(409, {'error': 'taken', 'taken_persons': taken_persons, 'taken_metres': taken_metres})
        if 'metres' in body and body['metres'] < taken_metres:
            raise ApiError(409, {'error': 'taken', 'taken_persons': taken_persons, 'taken_metres': taken_metres})
        # Check if something changes
        changed = False
        for key in ['departs', 'persons', 'metres', 'person_fare', 'metre_fare']:
            if key in body and body[key] != sailing[key]:
                changed = True
        if changed:
            for key in ['departs', 'persons', 'metres', 'person_fare', 'metre_fare']:
                if key in body:
                    sailing[key] = body[key]
            add_change('sailing-changed', sailing, DATA['clock'])
            # Shorten the holds
            bookings = []
            for booking in DATA['bookings'].values():
                if is_on_sailing(booking, sailing_id) and booking['state'] == 'held':
                    bookings.append(booking)
            bookings.sort(key=lambda b: int(b['id'][1:]))
            for booking in bookings:
                if booking['held_until'] > get_departure(booking):
                    booking['held_until'] = get_departure(booking)
                    add_change('booking-changed', booking, DATA['clock'])
            promote_waiting(DATA['clock'])
            save_data()
        self.send_json(200, sailing_to_json(sailing), None, sailing['version'])

    def list_bookings(self, sailing_id, query):
        """List the bookings of a sailing."""
        state = None
        at = None
        for name, value in parse_query(query):
            if name == 'at':
                if at is not None or not is_param_number(value):
                    raise bad_field('at')
                at = int(value)
            elif name == 'state':
                if state is not None or value not in ['booked', 'held', 'waiting', 'cancelled', 'lapsed', 'missed', 'withdrawn']:
                    raise bad_field('state')
                state = value
            else:
                raise bad_field(name)
        if at is not None:
            old_data = self.go_back(at)
            try:
                if sailing_id not in DATA['sailings']:
                    raise ApiError(404, {'error': 'no-such-sailing'})
                result = []
                for booking in DATA['bookings'].values():
                    if is_on_sailing(booking, sailing_id):
                        if state is None or booking['state'] == state:
                            result.append(booking_to_json(booking))
                result.sort(key=lambda b: int(b['id'][1:]))
            finally:
                self.go_forward(old_data)
            self.send_json(200, {'bookings': result})
            return
        if sailing_id not in DATA['sailings']:
            raise ApiError(404, {'error': 'no-such-sailing'})
        result = []
        for booking in DATA['bookings'].values():
            if is_on_sailing(booking, sailing_id):
                if state is None or booking['state'] == state:
                    result.append(booking_to_json(booking))
        result.sort(key=lambda b: int(b['id'][1:]))
        self.send_json(200, {'bookings': result})

    def list_waiting(self, sailing_id, query):
        """List the waiting bookings of a sailing."""
        at = self.parse_at(query)
        if at is not None:
            old_data = self.go_back(at)
            try:
                if sailing_id not in DATA['sailings']:
                    raise ApiError(404, {'error': 'no-such-sailing'})
                result = []
                for booking in DATA['bookings'].values():
                    if is_on_sailing(booking, sailing_id):
                        if booking['state'] == 'waiting':
                            result.append(booking_to_json(booking))
                result.sort(key=lambda b: int(b['id'][1:]))
            finally:
                self.go_forward(old_data)
            self.send_json(200, {'bookings': result})
            return
        if sailing_id not in DATA['sailings']:
            raise ApiError(404, {'error': 'no-such-sailing'})
        result = []
        for booking in DATA['bookings'].values():
            if is_on_sailing(booking, sailing_id):
                if booking['state'] == 'waiting':
                    result.append(booking_to_json(booking))
        result.sort(key=lambda b: int(b['id'][1:]))
        self.send_json(200, {'bookings': result})

    def create_booking(self, query, raw):
        """Create a new booking."""
        body = self.parse_body(raw)
        self.no_params(query)
        validate_booking(body)
        if 'legs' in body:
            self.create_journey(body)
            return
        if body['sailing'] not in DATA['sailings']:
            raise ApiError(404, {'error': 'no-such-sailing'})
        sailing = DATA['sailings'][body['sailing']]
        # Check if the sailing is withdrawn
        if 'withdrawn_at' in sailing:
            raise ApiError(409, {'error': 'withdrawn'})
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
        add_change('booking-made', booking, DATA['clock'])
        save_data()
        self.send_json(201, booking_to_json(booking), '/bookings/' + booking_id, booking['version'])

    def create_journey(self, body):
        """Create a new booking with legs."""
        sailings = []
        for leg in body['legs']:
            if leg not in DATA['sailings']:
                raise ApiError(404, {'error': 'no-such-sailing'})
            sailings.append(DATA['sailings'][leg])
        # Check the connections
        for i in range(1, len(sailings)):
            if sailings[i]['from'] != sailings[i - 1]['to']:
                raise ApiError(409, {'error': 'no-connection'})
            if sailings[i]['departs'] <= sailings[i - 1]['departs']:
                raise ApiError(409, {'error': 'no-connection'})
        # Check if a sailing is withdrawn
        for sailing in sailings:
            if 'withdrawn_at' in sailing:
                raise ApiError(409, {'error': 'withdrawn'})
        # Check if a sailing has departed
        for sailing in sailings:
            if DATA['clock'] >= sailing['departs']:
                raise ApiError(409, {'error': 'departed'})
        metres = body.get('metres', 0)
        hold = body.get('hold')
        wait = body.get('wait', False)
        state = 'booked'
        held_until = None
        # Check if there are enough places
        full_error = None
        for sailing in sailings:
            free_persons = get_free_persons(sailing)
            free_metres = get_free_metres(sailing)
            if body['persons'] > free_persons or metres > free_metres:
                if full_error is None:
                    full_error = ApiError(409, {'error': 'full', 'free_persons': free_persons, 'free_metres': free_metres, 'sailing': sailing['id']})
        if full_error is not None:
            if not wait:
                raise full_error
            # Check if it could fit at all
            for sailing in sailings:
                if body['persons'] > sailing['persons'] or metres > sailing['metres']:
                    raise full_error
            state = 'waiting'
        elif hold is not None:
            state = 'held'
            held_until = DATA['clock'] + hold
            if held_until > sailings[0]['departs']:
                held_until = sailings[0]['departs']
        booking_id = 'B' + str(DATA['next_booking'])
        DATA['next_booking'] = DATA['next_booking'] + 1
        # Calculate the prices
        leg_prices = []
        price = 0
        for sailing in sailings:
            leg_price = body['persons'] * sailing['person_fare'] + metres * sailing['metre_fare']
            leg_price = leg_price - leg_price // 10
            leg_prices.append(leg_price)
            price = price + leg_price
        booking = {
            'id': booking_id,
            'sailing': None,
            'legs': body['legs'],
            'name': body['name'],
            'persons': body['persons'],
            'metres': metres,
            'price': price,
            'leg_prices': leg_prices,
            'booked_at': DATA['clock'],
            'state': state,
            'hold': hold,
        }
        if held_until is not None:
            booking['held_until'] = held_until
        DATA['bookings'][booking_id] = booking
        add_change('booking-made', booking, DATA['clock'])
        save_data()
        self.send_json(201, booking_to_json(booking), '/bookings/' + booking_id, booking['version'])

    def withdraw_sailing(self, sailing_id, query):
        """Withdraw a sailing."""
        self.no_params(query)
        if sailing_id not in DATA['sailings']:
            raise ApiError(404, {'error': 'no-such-sailing'})
        sailing = DATA['sailings'][sailing_id]
        self.check_version(sailing)
        # Check if the sailing is already withdrawn
        if 'withdrawn_at' in sailing:
            raise ApiError(409, {'error': 'already-withdrawn'})
        # Check if the sailing has departed
        if DATA['clock'] >= sailing['departs']:
            raise ApiError(409, {'error': 'departed'})
        sailing['withdrawn_at'] = DATA['clock']
        add_change('sailing-withdrawn', sailing, DATA['clock'])
        bookings = []
        for booking in DATA['bookings'].values():
            if is_on_sailing(booking, sailing_id):
                if booking['state'] == 'booked' or booking['state'] == 'held' or booking['state'] == 'waiting':
                    bookings.append(booking)
        bookings.sort(key=lambda b: int(b['id'][1:]))
        for booking in bookings:
            # Calculate the refund
            if booking['state'] == 'booked':
                booking['refund'] = booking['price']
            else:
                booking['refund'] = 0
            booking['state'] = 'withdrawn'
            add_change('booking-withdrawn', booking, DATA['clock'])
        promote_waiting(DATA['clock'])
        save_data()
        self.send_json(200, sailing_to_json(sailing), None, sailing['version'])

    def list_fares(self, sailing_id, query):
        """List the planned fares of a sailing."""
        self.no_params(query)
        if sailing_id not in DATA['sailings']:
            raise ApiError(404, {'error': 'no-such-sailing'})
        fares = DATA['fares'].get(sailing_id, [])
        fares.sort(key=lambda f: f['from'])
        self.send_json(200, {'fares': fares})

    def plan_fares(self, sailing_id, query, raw):
        """Plan the fares of a sailing."""
        body = self.parse_body(raw)
        self.no_params(query)
        # Validate from
        if 'from' not in body or not is_number(body['from']):
            raise bad_field('from')
        if body['from'] < 0 or body['from'] > MAX_MINUTE:
            raise bad_field('from')
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
            if key not in ['from', 'person_fare', 'metre_fare']:
                raise bad_field(key)
        if sailing_id not in DATA['sailings']:
            raise ApiError(404, {'error': 'no-such-sailing'})
        sailing = DATA['sailings'][sailing_id]
        # Check if the sailing is withdrawn
        if 'withdrawn_at' in sailing:
            raise ApiError(409, {'error': 'withdrawn'})
        # Check if the sailing has departed
        if DATA['clock'] >= sailing['departs']:
            raise ApiError(409, {'error': 'departed'})
        if body['from'] <= DATA['clock']:
            raise ApiError(409, {'error': 'in-the-past'})
        if body['from'] >= sailing['departs']:
            raise ApiError(409, {'error': 'after-departure'})
        # Replace the fares of the same minute
        fares = []
        for fare in DATA['fares'].get(sailing_id, []):
            if fare['from'] != body['from']:
                fares.append(fare)
        fares.append({'from': body['from'], 'person_fare': body['person_fare'], 'metre_fare': body['metre_fare']})
        fares.sort(key=lambda f: f['from'])
        DATA['fares'][sailing_id] = fares
        save_data()
        self.send_json(200, {'fares': fares})

    def get_booking(self, booking_id, query):
        """Get a booking."""
        at = self.parse_at(query)
        if at is not None:
            old_data = self.go_back(at)
            try:
                if booking_id not in DATA['bookings']:
                    raise ApiError(404, {'error': 'no-such-booking'})
                booking = DATA['bookings'][booking_id]
                result = booking_to_json(booking)
            finally:
                self.go_forward(old_data)
            self.send_json(200, result, None, booking['version'])
            return
        if booking_id not in DATA['bookings']:
            raise ApiError(404, {'error': 'no-such-booking'})
        booking = DATA['bookings'][booking_id]
        self.send_json(200, booking_to_json(booking), None, booking['version'])

    def patch_booking(self, booking_id, query, raw):
        """Update a booking."""
        body = self.parse_body(raw)
        self.no_params(query)
        validate_booking_patch(body)
        if booking_id not in DATA['bookings']:
            raise ApiError(404, {'error': 'no-such-booking'})
        booking = DATA['bookings'][booking_id]
        self.check_version(booking)
        # Check if the booking is still open
        if booking['state'] == 'cancelled' or booking['state'] == 'lapsed' or booking['state'] == 'missed' or booking['state'] == 'withdrawn':
            raise ApiError(409, {'error': 'not-open'})
        if booking.get('legs') is not None:
            self.patch_journey(booking, body)
            return
        sailing = DATA['sailings'][booking['sailing']]
        # Check if the sailing has departed
        if DATA['clock'] >= sailing['departs']:
            raise ApiError(409, {'error': 'departed'})
        name = body.get('name', booking['name'])
        persons = body.get('persons', booking['persons'])
        metres = body.get('metres', booking['metres'])
        # Check if there are enough places
        free_persons = get_free_persons(sailing)
        free_metres = get_free_metres(sailing)
        if booking['state'] == 'waiting':
            if persons > sailing['persons'] or metres > sailing['metres']:
                raise ApiError(409, {'error': 'full', 'free_persons': free_persons, 'free_metres': free_metres})
        else:
            free_persons = free_persons + booking['persons']
            free_metres = free_metres + booking['metres']
            if persons > free_persons or metres > free_metres:
                raise ApiError(409, {'error': 'full', 'free_persons': free_persons, 'free_metres': free_metres})
        # Check if something changes
        if name != booking['name'] or persons != booking['persons'] or metres != booking['metres']:
            if persons != booking['persons'] or metres != booking['metres']:
                # Calculate the price
                booking['price'] = persons * sailing['person_fare'] + metres * sailing['metre_fare']
            booking['name'] = name
            booking['persons'] = persons
            booking['metres'] = metres
            add_change('booking-changed', booking, DATA['clock'])
            promote_waiting(DATA['clock'])
            save_data()
        self.send_json(200, booking_to_json(booking), None, booking['version'])

    def patch_journey(self, booking, body):
        """Update a booking with legs."""
        # Check if the first sailing has departed
        if DATA['clock'] >= get_departure(booking):
            raise ApiError(409, {'error': 'departed'})
        name = body.get('name', booking['name'])
        persons = body.get('persons', booking['persons'])
        metres = body.get('metres', booking['metres'])
        # Check if there are enough places
        full_error = None
        never_fits = False
        for leg in booking['legs']:
            sailing = DATA['sailings'][leg]
            free_persons = get_free_persons(sailing)
            free_metres = get_free_metres(sailing)
            if booking['state'] != 'waiting':
                free_persons = free_persons + booking['persons']
                free_metres = free_metres + booking['metres']
            if persons > free_persons or metres > free_metres:
                if full_error is None:
                    full_error = ApiError(409, {'error': 'full', 'free_persons': free_persons, 'free_metres': free_metres, 'sailing': sailing['id']})
            if persons > sailing['persons'] or metres > sailing['metres']:
                never_fits = True
        if full_error is not None:
            if booking['state'] != 'waiting' or never_fits:
                raise full_error
        # Check if something changes
        if name != booking['name'] or persons != booking['persons'] or metres != booking['metres']:
            if persons != booking['persons'] or metres != booking['metres']:
                # Calculate the prices
                leg_prices = []
                price = 0
                for leg in booking['legs']:
                    sailing = DATA['sailings'][leg]
                    leg_price = persons * sailing['person_fare'] + metres * sailing['metre_fare']
                    leg_price = leg_price - leg_price // 10
                    leg_prices.append(leg_price)
                    price = price + leg_price
                booking['leg_prices'] = leg_prices
                booking['price'] = price
            booking['name'] = name
            booking['persons'] = persons
            booking['metres'] = metres
            add_change('booking-changed', booking, DATA['clock'])
            promote_waiting(DATA['clock'])
            save_data()
        self.send_json(200, booking_to_json(booking), None, booking['version'])

    def page_bookings(self, query):
        """List the bookings page by page."""
        sailing_id = None
        state = None
        limit = None
        cursor = None
        for name, value in parse_query(query):
            if name == 'sailing':
                if sailing_id is not None or not is_id(value):
                    raise bad_field('sailing')
                sailing_id = value
            elif name == 'state':
                if state is not None or value not in ['booked', 'held', 'waiting', 'cancelled', 'lapsed', 'missed', 'withdrawn']:
                    raise bad_field('state')
                state = value
            elif name == 'limit':
                if limit is not None or not is_param_number(value):
                    raise bad_field('limit')
                if int(value) < 1 or int(value) > 100:
                    raise bad_field('limit')
                limit = int(value)
            elif name == 'cursor':
                if cursor is not None:
                    raise bad_field('cursor')
                cursor = value
            else:
                raise bad_field(name)
        if limit is None:
            limit = 20
        before = None
        if cursor is not None:
            # Decode the cursor
            try:
                decoded = base64.urlsafe_b64decode(cursor.encode('ascii') + b'=' * (-len(cursor) % 4)).decode('ascii')
                decoded_parts = decoded.split('|')
                before = int(decoded_parts[0])
            except Exception:
                raise bad_field('cursor')
            if self.make_cursor(before, sailing_id, state) != cursor:
                raise bad_field('cursor')
        if sailing_id is not None and sailing_id not in DATA['sailings']:
            raise ApiError(404, {'error': 'no-such-sailing'})
        bookings = []
        for booking in DATA['bookings'].values():
            if sailing_id is not None and not is_on_sailing(booking, sailing_id):
                continue
            if state is not None and booking['state'] != state:
                continue
            if before is not None and int(booking['id'][1:]) >= before:
                continue
            bookings.append(booking)
        bookings.sort(key=lambda b: int(b['id'][1:]), reverse=True)
        next_cursor = None
        if len(bookings) > limit:
            bookings = bookings[:limit]
            next_cursor = self.make_cursor(int(bookings[-1]['id'][1:]), sailing_id, state)
        result = []
        for booking in bookings:
            result.append(booking_to_json(booking))
        self.send_json(200, {'bookings': result, 'next': next_cursor})

    def make_cursor(self, number, sailing_id, state):
        """Make a cursor."""
        text = str(number) + '|' + str(sailing_id) + '|' + str(state)
        return base64.urlsafe_b64encode(text.encode('ascii')).decode('ascii').replace('=', '')

    def parse_at(self, query):
        """Parse the at parameter."""
        at = None
        for name, value in parse_query(query):
            if name == 'at':
                if at is not None or not is_param_number(value):
                    raise bad_field('at')
                at = int(value)
            else:
                raise bad_field(name)
        return at

    def go_back(self, at):
        """Go back to the state after a change."""
        global DATA
        if at > len(DATA['changes']):
            raise ApiError(404, {'error': 'no-such-change'})
        old_data = DATA
        DATA = get_data_at(at)
        return old_data

    def go_forward(self, old_data):
        """Go forward to the present state."""
        global DATA
        DATA = old_data

    def get_report(self, query):
        """Get the report."""
        at = None
        minute = None
        for name, value in parse_query(query):
            if name == 'at':
                if at is not None or not is_param_number(value):
                    raise bad_field('at')
                at = int(value)
            elif name == 'minute':
                if minute is not None or not is_param_number(value):
                    raise bad_field('minute')
                if int(value) > MAX_MINUTE:
                    raise bad_field('minute')
                minute = int(value)
            else:
                raise bad_field(name)
        if at is not None and minute is not None:
            raise bad_field('minute')
        if at is not None:
            if at > len(DATA['changes']):
                raise ApiError(404, {'error': 'no-such-change'})
            data = get_data_at(at)
            self.send_json(200, make_report(data, at))
        elif minute is not None:
            if minute > DATA['clock']:
                raise ApiError(404, {'error': 'not-yet'})
            seq = 0
            for change in DATA['changes']:
                if change['at'] <= minute:
                    seq = change['seq']
            data = get_data_at(seq)
            self.send_json(200, make_report(data, seq))
        else:
            self.send_json(200, make_report(DATA, len(DATA['changes'])))

    def run_batch(self, query, raw):
        """Run a batch of requests."""
        global DATA, IN_BATCH
        body = self.parse_body(raw)
        self.no_params(query)
        validate_steps(body)
        backup = copy.deepcopy(DATA)
        self.batch_results = []
        number = 0
        IN_BATCH = True
        try:
            for step in body['steps']:
                number = number + 1
                method, path = step['send'].split(' ')
                url = urlparse(path)
                step_query = url.query
                parts = url.path.split('/')
                # The path has to start with a slash
                if parts[0] != '':
                    raise ApiError(404, {'error': 'no-such-path'})
                parts = parts[1:]
                # Only sailings and bookings are allowed
                if len(parts) == 0 or parts[0] not in ['sailings', 'bookings']:
                    raise ApiError(404, {'error': 'no-such-path'})
                if len(parts) == 3 and parts[0] == 'sailings' and parts[2] in ['waiting', 'bookings']:
                    raise ApiError(404, {'error': 'no-such-path'})
                # Resolve references
                if len(parts) > 1 and len(parts[1]) > 1 and parts[1][0] == '$':
                    reference = parts[1][1:]
                    if is_param_number(reference) and int(reference) >= 1 and int(reference) < number:
                        if 'id' in self.batch_results[int(reference) - 1]['body']:
                            parts[1] = self.batch_results[int(reference) - 1]['body']['id']
                if method != 'POST' and method != 'PATCH':
                    # Find out if the path exists
                    self.route('DELETE', parts, step_query, b'')
                self.batch_version = step.get('version')
                self.if_match = None
                if 'body' in step:
                    step_raw = json.dumps(step['body']).encode('utf-8')
                else:
                    step_raw = b''
                self.route(method, parts, step_query, step_raw)
        except ApiError as e:
            # Restore the backup
            DATA = backup
            e.body['step'] = number
            raise e
        except Exception as e:
            DATA = backup
            raise e
        finally:
            IN_BATCH = False
        save_data()
        self.send_json(200, {'results': self.batch_results})

    def list_changes(self, query):
        """List the changes."""
        after = None
        limit = None
        for name, value in parse_query(query):
            if name == 'after':
                if after is not None or not is_param_number(value):
                    raise bad_field('after')
                after = int(value)
            elif name == 'limit':
                if limit is not None or not is_param_number(value):
                    raise bad_field('limit')
                if int(value) < 1 or int(value) > 100:
                    raise bad_field('limit')
                limit = int(value)
            else:
                raise bad_field(name)
        if after is None:
            after = 0
        if limit is None:
            limit = 50
        result = []
        for change in DATA['changes']:
            if change['seq'] > after and len(result) < limit:
                result.append(change)
        self.send_json(200, {'changes': result, 'last': len(DATA['changes'])})

    def confirm_booking(self, booking_id, query):
        """Confirm a booking."""
        self.no_params(query)
        if booking_id not in DATA['bookings']:
            raise ApiError(404, {'error': 'no-such-booking'})
        booking = DATA['bookings'][booking_id]
        self.check_version(booking)
        # Check if the booking is held
        if booking['state'] != 'held':
            raise ApiError(409, {'error': 'not-held'})
        booking['state'] = 'booked'
        add_change('booking-confirmed', booking, DATA['clock'])
        save_data()
        self.send_json(200, booking_to_json(booking), None, booking['version'])

    def cancel_booking(self, booking_id, query):
        """Cancel a booking."""
        self.no_params(query)
        if booking_id not in DATA['bookings']:
            raise ApiError(404, {'error': 'no-such-booking'})
        booking = DATA['bookings'][booking_id]
        self.check_version(booking)
        # Check if the booking is already cancelled
        if booking['state'] == 'cancelled':
            raise ApiError(409, {'error': 'already-cancelled'})
        # Check if the booking is still open
        if booking['state'] == 'lapsed' or booking['state'] == 'missed' or booking['state'] == 'withdrawn':
            raise ApiError(409, {'error': 'not-open'})
        # Check if the sailing has departed
        if DATA['clock'] >= get_departure(booking):
            raise ApiError(409, {'error': 'departed'})
        # Calculate the refund
        booking['was_booked'] = booking['state'] == 'booked'
        if booking['state'] == 'held' or booking['state'] == 'waiting':
            booking['refund'] = 0
        elif get_departure(booking) - DATA['clock'] >= 1440:
            booking['refund'] = booking['price']
            if booking.get('legs') is not None:
                booking['leg_refunds'] = booking['leg_prices']
        elif booking.get('legs') is not None:
            # Calculate the refund of each leg
            booking['refund'] = 0
            booking['leg_refunds'] = []
            for leg_price in booking['leg_prices']:
                booking['leg_refunds'].append(leg_price // 2)
                booking['refund'] = booking['refund'] + leg_price // 2
        else:
            booking['refund'] = booking['price'] // 2
        booking['state'] = 'cancelled'
        add_change('booking-cancelled', booking, DATA['clock'])
        promote_waiting(DATA['clock'])
        save_data()
        self.send_json(200, booking_to_json(booking), None, booking['version'])


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
