#!/usr/bin/env python3
"""Dyer - service for a dye works."""
import argparse
import json
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import unquote

# Global state
DYES = {}
SCALES = {}
ENTRIES = []
LOCK = threading.Condition()
VATS = {}
LOGS = {}
BATCHES = []


def find_batch(batch_id):
    """Find a batch by id."""
    for b in BATCHES:
        if b['id'] == batch_id:
            return b
    return None


def batch_to_json(b):
    """Convert a batch to JSON."""
    result = {}
    result['id'] = b['id']
    result['customer'] = b['customer']
    result['vats'] = b['vats']
    result['dye'] = b['dye']
    result['grams'] = b['grams']
    result['ms'] = b['ms']
    if b['patience'] is not None:
        result['patience'] = b['patience']
    result['state'] = b['state']
    return result


def begin_batches():
    """Begin all batches that can begin."""
    wanted = []
    waiting = []
    for b in BATCHES:
        if b['state'] == 'waiting':
            waiting.append(b)
    for b in waiting:
        # Check if all vats are free
        can_begin = True
        for v in b['vats']:
            if VATS[v] is not None:
                can_begin = False
            if v in wanted:
                can_begin = False
        if can_begin == False:
            for v in b['vats']:
                wanted.append(v)
        else:
            available = DYES[b['dye']]
            if b['dye'] in SCALES:
                available = available - SCALES[b['dye']]
            if available < b['grams']:
                b['state'] = 'failed'
            else:
                changes = {b['dye']: -b['grams']}
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
                b['state'] = 'dyeing'
                for v in b['vats']:
                    VATS[v] = b['id']
                    LOGS[v].append({'batch': b['id'], 'event': 'begins'})
                timer = threading.Timer(b['ms'] / 1000, end_batch, [b])
                timer.daemon = True
                timer.start()
    LOCK.notify_all()


def end_batch(b):
    """End a batch."""
    with LOCK:
        if b['state'] != 'dyeing':
            return
        b['state'] = 'done'
        for v in b['vats']:
            VATS[v] = None
            LOGS[v].append({'batch': b['id'], 'event': 'ends'})
        begin_batches()
        LOCK.notify_all()


def expire_batch(b):
    """Expire a batch."""
    with LOCK:
        if b['state'] == 'waiting':
            b['state'] = 'expired'
            begin_batches()
            LOCK.notify_all()


def stop_batch(b):
    """Cancel a batch."""
    if b['state'] == 'dyeing':
        b['state'] = 'cancelled'
        for v in b['vats']:
            VATS[v] = None
            LOGS[v].append({'batch': b['id'], 'event': 'stops'})
        changes = {b['dye']: b['grams']}
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
    else:
        b['state'] = 'cancelled'
    LOCK.notify_all()


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

        # Check the field patience
        patience = data.get('patience', '__missing__')
        if patience == '__missing__':
            patience = None
        else:
            if isinstance(patience, bool) or not isinstance(patience, int):
                return 422, {'fault': 'wrong-field', 'field': 'patience'}
            if patience < 0 or patience > 60000:
                return 422, {'fault': 'wrong-field', 'field': 'patience'}

        # Check for fields that are not listed
        extra = []
        for key_name in data:
            if key_name not in ['grams', 'ms', 'patience']:
                extra.append(key_name)
        if len(extra) > 0:
            extra.sort()
            return 422, {'fault': 'wrong-field', 'field': extra[0]}
        with LOCK:
            if parts[2] not in DYES:
                return 404, {'fault': 'no-dye', 'dye': parts[2]}
            # Wait for the scale
            deadline = None
            if patience is not None:
                deadline = time.monotonic() + patience / 1000
            while parts[2] in SCALES:
                if deadline is not None:
                    remaining = deadline - time.monotonic()
                    if remaining <= 0:
                        return 409, {'fault': 'no-turn'}
                    LOCK.wait(remaining)
                else:
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

        # Check the field patience
        patience = data.get('patience', '__missing__')
        if patience == '__missing__':
            patience = None
        else:
            if isinstance(patience, bool) or not isinstance(patience, int):
                return 422, {'fault': 'wrong-field', 'field': 'patience'}
            if patience < 0 or patience > 60000:
                return 422, {'fault': 'wrong-field', 'field': 'patience'}

        # Check for fields that are not listed
        extra = []
        for key_name in data:
            if key_name not in ['parts', 'into', 'ms', 'patience']:
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
            deadline = None
            if patience is not None:
                deadline = time.monotonic() + patience / 1000
            while any(part in SCALES for part in mix):
                if deadline is not None:
                    remaining = deadline - time.monotonic()
                    if remaining <= 0:
                        return 409, {'fault': 'no-turn'}
                    LOCK.wait(remaining)
                else:
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
    # Vats
    elif method == 'POST' and path == '/vats':
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

        # Check for fields that are not listed
        extra = []
        for key_name in data:
            if key_name not in ['id']:
                extra.append(key_name)
        if len(extra) > 0:
            extra.sort()
            return 422, {'fault': 'wrong-field', 'field': extra[0]}

        with LOCK:
            if id in VATS:
                return 409, {'fault': 'vat-exists'}
            VATS[id] = None
            LOGS[id] = []
            return 201, {'id': id, 'state': 'free'}
    elif method == 'GET' and path == '/vats':
        with LOCK:
            result = []
            for v in sorted(VATS.keys()):
                if VATS[v] is None:
                    result.append({'id': v, 'state': 'free'})
                else:
                    result.append({'id': v, 'state': 'busy', 'batch': VATS[v]})
            return 200, {'vats': result}
    elif method == 'GET' and len(parts) == 3 and parts[1] == 'vats' and parts[2] != '':
        with LOCK:
            if parts[2] not in VATS:
                return 404, {'fault': 'no-vat', 'vat': parts[2]}
            if VATS[parts[2]] is None:
                return 200, {'id': parts[2], 'state': 'free'}
            else:
                return 200, {'id': parts[2], 'state': 'busy', 'batch': VATS[parts[2]]}
    elif method == 'GET' and len(parts) == 4 and parts[1] == 'vats' and parts[2] != '' and parts[3] == 'log':
        with LOCK:
            if parts[2] not in VATS:
                return 404, {'fault': 'no-vat', 'vat': parts[2]}
            return 200, {'log': list(LOGS[parts[2]])}
    # Batches
    elif method == 'POST' and path == '/batches':
        # Parse the body
        try:
            data = json.loads(body.decode('utf-8'))
        except Exception:
            return 400, {'fault': 'not-json'}
        if not isinstance(data, dict):
            return 400, {'fault': 'not-json'}

        # Check the field customer
        customer = data.get('customer', '__missing__')
        if customer == '__missing__':
            return 422, {'fault': 'wrong-field', 'field': 'customer'}
        if not isinstance(customer, str):
            return 422, {'fault': 'wrong-field', 'field': 'customer'}
        if len(customer) < 1 or len(customer) > 20:
            return 422, {'fault': 'wrong-field', 'field': 'customer'}
        if customer[0] not in 'abcdefghijklmnopqrstuvwxyz':
            return 422, {'fault': 'wrong-field', 'field': 'customer'}
        for ch in customer:
            if ch not in 'abcdefghijklmnopqrstuvwxyz0123456789-':
                return 422, {'fault': 'wrong-field', 'field': 'customer'}

        # Check the vats
        vats = data.get('vats', '__missing__')
        if vats == '__missing__':
            return 422, {'fault': 'wrong-field', 'field': 'vats'}
        if not isinstance(vats, list):
            return 422, {'fault': 'wrong-field', 'field': 'vats'}
        if len(vats) < 1 or len(vats) > 4:
            return 422, {'fault': 'wrong-field', 'field': 'vats'}
        seen = []
        for v in vats:
            if not isinstance(v, str):
                return 422, {'fault': 'wrong-field', 'field': 'vats'}
            if len(v) < 1 or len(v) > 20:
                return 422, {'fault': 'wrong-field', 'field': 'vats'}
            if v[0] not in 'abcdefghijklmnopqrstuvwxyz':
                return 422, {'fault': 'wrong-field', 'field': 'vats'}
            for ch in v:
                if ch not in 'abcdefghijklmnopqrstuvwxyz0123456789-':
                    return 422, {'fault': 'wrong-field', 'field': 'vats'}
            if v in seen:
                return 422, {'fault': 'wrong-field', 'field': 'vats'}
            seen.append(v)

        # Check the field dye
        dye = data.get('dye', '__missing__')
        if dye == '__missing__':
            return 422, {'fault': 'wrong-field', 'field': 'dye'}
        if not isinstance(dye, str):
            return 422, {'fault': 'wrong-field', 'field': 'dye'}
        if len(dye) < 1 or len(dye) > 20:
            return 422, {'fault': 'wrong-field', 'field': 'dye'}
        if dye[0] not in 'abcdefghijklmnopqrstuvwxyz':
            return 422, {'fault': 'wrong-field', 'field': 'dye'}
        for ch in dye:
            if ch not in 'abcdefghijklmnopqrstuvwxyz0123456789-':
                return 422, {'fault': 'wrong-field', 'field': 'dye'}

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
            return 422, {'fault': 'wrong-field', 'field': 'ms'}
        if isinstance(ms, bool) or not isinstance(ms, int):
            return 422, {'fault': 'wrong-field', 'field': 'ms'}
        if ms < 1 or ms > 60000:
            return 422, {'fault': 'wrong-field', 'field': 'ms'}

        # Check the field patience
        patience = data.get('patience', '__missing__')
        if patience == '__missing__':
            patience = None
        else:
            if isinstance(patience, bool) or not isinstance(patience, int):
                return 422, {'fault': 'wrong-field', 'field': 'patience'}
            if patience < 0 or patience > 60000:
                return 422, {'fault': 'wrong-field', 'field': 'patience'}

        # Check for fields that are not listed
        extra = []
        for key_name in data:
            if key_name not in ['customer', 'vats', 'dye', 'grams', 'ms', 'patience']:
                extra.append(key_name)
        if len(extra) > 0:
            extra.sort()
            return 422, {'fault': 'wrong-field', 'field': extra[0]}
        with LOCK:
            for v in vats:
                if v not in VATS:
                    return 404, {'fault': 'no-vat', 'vat': v}
            if dye not in DYES:
                return 404, {'fault': 'no-dye', 'dye': dye}
            b = {}
            b['id'] = 'B' + str(len(BATCHES) + 1)
            b['customer'] = customer
            b['vats'] = vats
            b['dye'] = dye
            b['grams'] = grams
            b['ms'] = ms
            b['state'] = 'waiting'
            b['patience'] = patience
            BATCHES.append(b)
            begin_batches()
            if patience is not None and b['state'] == 'waiting':
                if patience == 0:
                    b['state'] = 'expired'
                else:
                    timer = threading.Timer(patience / 1000, expire_batch, [b])
                    timer.daemon = True
                    timer.start()
            LOCK.notify_all()
            return 202, batch_to_json(b)
    elif method == 'GET' and path == '/batches':
        with LOCK:
            result = []
            for b in BATCHES:
                result.append(batch_to_json(b))
            return 200, {'batches': result}
    elif method == 'GET' and len(parts) == 3 and parts[1] == 'batches' and parts[2] != '':
        # Check the parameter wait
        wait = 0
        for pair in query.split('&'):
            if pair.startswith('wait='):
                given = unquote(pair[len('wait='):])
                if given == '' or len(given) > 9:
                    return 422, {'fault': 'wrong-field', 'field': 'wait'}
                for ch in given:
                    if ch not in '0123456789':
                        return 422, {'fault': 'wrong-field', 'field': 'wait'}
                if int(given) > 30000:
                    return 422, {'fault': 'wrong-field', 'field': 'wait'}
                wait = int(given)
        with LOCK:
            b = find_batch(parts[2])
            if b is None:
                return 404, {'fault': 'no-batch', 'batch': parts[2]}
            deadline = time.monotonic() + wait / 1000
            while b['state'] == 'waiting' or b['state'] == 'dyeing':
                remaining = deadline - time.monotonic()
                if remaining <= 0:
                    break
                LOCK.wait(remaining)
            return 200, batch_to_json(b)
    elif method == 'POST' and len(parts) == 4 and parts[1] == 'batches' and parts[2] != '' and parts[3] == 'cancel':
        with LOCK:
            b = find_batch(parts[2])
            if b is None:
                return 404, {'fault': 'no-batch', 'batch': parts[2]}
            if b['state'] != 'waiting' and b['state'] != 'dyeing':
                return 409, {'fault': 'settled', 'state': b['state']}
            stop_batch(b)
            begin_batches()
            return 200, batch_to_json(b)
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
