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
    'programmes': {},
    'pieces': [],
    'firings': [],
    'leases': [],
    'history': [],
    'series': [],
}
DATA_FILE = None
LOCK = threading.Lock()
TRYING = False


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
    if TRYING:
        return
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


def find_lease(lease_id):
    """Find a lease by id."""
    for lease in DATA['leases']:
        if lease['id'] == lease_id:
            return lease
    return None


def find_series(series_id):
    """Find a series by id."""
    for series in DATA['series']:
        if series['id'] == series_id:
            return series
    return None


def series_to_json(series):
    """Convert a series to JSON."""
    result = {}
    result['id'] = series['id']
    result['kiln'] = series['kiln']
    result['heat'] = series['heat']
    if series['programme'] is not None:
        result['programme'] = series['programme']
    else:
        result['hold'] = series['hold']
    if series['member'] is not None:
        result['member'] = series['member']
    result['start'] = series['start']
    result['every'] = series['every']
    if series['times'] is not None:
        result['times'] = series['times']
    result['state'] = series['state']
    result['settled'] = series['settled']
    if series['state'] == 'running':
        result['next'] = series['next']
    return result


def add_history(what, thing_id):
    """Add an entry to the history."""
    DATA['history'].append({'seq': len(DATA['history']) + 1, 'at': DATA['now'], 'what': what, 'id': thing_id})


def lease_to_json(lease):
    """Convert a lease to JSON."""
    result = {}
    result['id'] = lease['id']
    result['member'] = lease['member']
    result['kiln'] = lease['kiln']
    result['from'] = lease['from']
    result['to'] = lease['to']
    if lease['cancelled']:
        result['state'] = 'cancelled'
    elif DATA['now'] < lease['from']:
        result['state'] = 'booked'
    elif DATA['now'] < lease['to']:
        result['state'] = 'running'
    else:
        result['state'] = 'ended'
    return result


def kiln_to_json(kiln):
    """Convert a kiln to JSON."""
    result = {}
    result['id'] = kiln['id']
    result['room'] = kiln['room']
    result['max_heat'] = kiln['max_heat']
    result['rate'] = kiln['rate']
    if kiln['cooling'] is not None:
        result['cooling'] = kiln['cooling']
    if kiln['broken']:
        result['state'] = 'broken'
    elif kiln['firing'] is not None:
        if find_firing(kiln['firing'])['state'] == 'firing':
            result['state'] = 'firing'
        else:
            result['state'] = 'cooling'
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
    if piece['passes'] is not None:
        result['passes'] = piece['passes']
        result['pass'] = piece['pass']
    if piece['after'] is not None:
        result['after'] = piece['after']
    if piece['state'] == 'drying':
        result['ready_at'] = piece['ready_at']
    if piece['firing'] is not None:
        result['firing'] = piece['firing']
    return result


def firing_to_json(firing):
    """Convert a firing to JSON."""
    result = {}
    result['id'] = firing['id']
    result['kiln'] = firing['kiln']
    result['heat'] = firing['heat']
    if firing['programme'] is not None:
        result['programme'] = firing['programme']
    else:
        result['hold'] = firing['hold']
    result['starts'] = firing['starts']
    result['ends'] = firing['ends']
    if firing['has_cooling']:
        result['opens'] = firing['opens']
    if firing['member'] is not None:
        result['member'] = firing['member']
    if firing['series'] is not None:
        result['series'] = firing['series']
        result['number'] = firing['number']
    if firing['moves'] > 0:
        result['moves'] = firing['moves']
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
            if firing['state'] == 'cooling' or (firing['state'] == 'stopped' and firing['opens'] > DATA['now']):
                if next_minute is None or firing['opens'] < next_minute:
                    next_minute = firing['opens']
            if firing['state'] == 'planned':
                if next_minute is None or firing['starts'] < next_minute:
                    next_minute = firing['starts']
        for piece in DATA['pieces']:
            if piece['state'] == 'drying':
                if next_minute is None or piece['ready_at'] < next_minute:
                    next_minute = piece['ready_at']
            if (piece['state'] == 'waiting' or piece['state'] == 'drying') and piece['due'] is not None:
                if next_minute is None or piece['due'] < next_minute:
                    next_minute = piece['due']
        for series in DATA['series']:
            if series['state'] == 'running':
                if next_minute is None or series['next'] - 1440 < next_minute:
                    next_minute = series['next'] - 1440
        if next_minute is None or next_minute > target:
            break
        DATA['now'] = next_minute
        # Finish firings
        for firing in DATA['firings']:
            if firing['state'] == 'firing' and firing['ends'] == DATA['now']:
                firing['state'] = 'cooling'
                if firing['has_cooling']:
                    add_history('firing-cooling', firing['id'])
        # Open kilns
        for firing in DATA['firings']:
            if firing['state'] == 'cooling' and firing['opens'] == DATA['now']:
                firing['state'] = 'done'
                add_history('firing-done', firing['id'])
                for piece_id in firing['pieces']:
                    piece = find_piece(piece_id)
                    if piece['passes'] is not None and piece['pass'] < len(piece['passes']):
                        piece['pass'] = piece['pass'] + 1
                        piece['heat'] = piece['passes'][piece['pass'] - 1]['heat']
                        if piece['passes'][piece['pass'] - 1]['dry'] > 0:
                            piece['state'] = 'drying'
                            piece['ready_at'] = DATA['now'] + piece['passes'][piece['pass'] - 1]['dry']
                        else:
                            piece['state'] = 'waiting'
                        add_history('piece-out', piece['id'])
                    else:
                        piece['state'] = 'fired'
                        add_history('piece-fired', piece['id'])
                DATA['kilns'][firing['kiln']]['firing'] = None
            elif firing['state'] == 'stopped' and firing['opens'] == DATA['now']:
                for piece_id in firing['pieces']:
                    piece = find_piece(piece_id)
                    piece['state'] = 'waiting'
                    piece['firing'] = None
                    add_history('piece-back', piece['id'])
                DATA['kilns'][firing['kiln']]['firing'] = None
        # Dry pieces
        for piece in DATA['pieces']:
            if piece['state'] == 'drying' and piece['ready_at'] == DATA['now']:
                piece['state'] = 'waiting'
                add_history('piece-dried', piece['id'])
        # Miss pieces
        for piece in DATA['pieces']:
            if (piece['state'] == 'waiting' or piece['state'] == 'drying') and piece['due'] == DATA['now']:
                piece['state'] = 'missed'
                add_history('piece-missed', piece['id'])
        # Start planned firings
        for firing in DATA['firings']:
            if firing['state'] == 'planned' and firing['starts'] == DATA['now']:
                kiln = DATA['kilns'][firing['kiln']]
                # Load the pieces
                only_owner = None
                for lease in DATA['leases']:
                    if lease['kiln'] == kiln['id'] and not lease['cancelled']:
                        if lease['from'] <= firing['starts'] and firing['starts'] < lease['to']:
                            if lease['member'] == firing['member']:
                                only_owner = firing['member']
                loaded = []
                used = 0
                queue = []
                for piece in DATA['pieces']:
                    if piece['state'] == 'waiting':
                        queue.append(piece)
                queue.sort(key=lambda p: (p['rank'], 0 if p['due'] is not None else 1, p['due'] if p['due'] is not None else 0, int(p['id'][1:])))
                for piece in queue:
                    if only_owner is not None and piece['owner'] != only_owner:
                        continue
                    if piece['due'] is not None and firing['opens'] > piece['due']:
                        continue
                    if piece['after'] is not None and find_piece(piece['after'])['state'] != 'fired':
                        continue
                    if firing['heat'] < piece['heat'] or firing['heat'] > piece['heat'] + 40:
                        continue
                    if used + piece['size'] > kiln['room']:
                        continue
                    loaded.append(piece['id'])
                    used = used + piece['size']
                if len(loaded) == 0:
                    firing['state'] = 'empty'
                    add_history('firing-empty', firing['id'])
                else:
                    firing['state'] = 'firing'
                    firing['pieces'] = loaded
                    firing['used'] = used
                    add_history('firing-started', firing['id'])
                    for piece_id in loaded:
                        piece = find_piece(piece_id)
                        piece['state'] = 'firing'
                        piece['firing'] = firing['id']
                        add_history('piece-loaded', piece['id'])
                        DATA['history'][-1]['firing'] = firing['id']
                    kiln['firing'] = firing['id']
        # Plan the series
        for series in DATA['series']:
            while series['state'] == 'running' and series['next'] - 1440 <= DATA['now']:
                number = series['settled'] + 1
                planned = False
                if series['next'] > DATA['now']:
                    order = {'kiln': series['kiln'], 'start': series['next']}
                    if series['programme'] is not None:
                        order['programme'] = series['programme']
                    else:
                        order['heat'] = series['heat']
                        order['hold'] = series['hold']
                    if series['member'] is not None:
                        order['member'] = series['member']
                    status, answer = process('POST', '/firings', json.dumps(order).encode('utf-8'))
                    if status == 201:
                        planned = True
                        DATA['firings'][-1]['series'] = series['id']
                        DATA['firings'][-1]['number'] = number
                if not planned:
                    add_history('series-skipped', series['id'])
                    DATA['history'][-1]['number'] = number
                series['settled'] = number
                series['next'] = series['next'] + series['every']
                if series['times'] is not None and series['settled'] >= series['times']:
                    series['state'] = 'done'
    DATA['now'] = target


def what_if(steps):
    """Try the steps on a copy of the data."""
    global DATA, TRYING
    saved = DATA
    count = len(DATA['history'])
    DATA = json.loads(json.dumps(DATA))
    TRYING = True
    results = []
    try:
        for step in steps:
            method, target = step['send'].split(' ')
            raw = b''
            if 'body' in step:
                raw = json.dumps(step['body']).encode('utf-8')
            if urlparse(target).path == '/what-if':
                results.append({'status': 404, 'body': {'fault': 'unknown-path'}})
                continue
            status, body = process(method, target, raw)
            results.append({'status': status, 'body': json.loads(json.dumps(body))})
        result = {'now': DATA['now'], 'results': results, 'history': DATA['history'][count:]}
    finally:
        DATA = saved
        TRYING = False
    return result


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
            if 'cooling' in body and not is_int(body['cooling'], 1, 50):
                return wrong('cooling')
            for key in sorted(body.keys()):
                if key not in ['id', 'room', 'max_heat', 'rate', 'cooling']:
                    return wrong(key)
            if body['id'] in DATA['kilns']:
                return 409, {'fault': 'kiln-exists'}
            kiln = {
                'id': body['id'],
                'room': body['room'],
                'max_heat': body['max_heat'],
                'rate': body['rate'],
                'cooling': body.get('cooling'),
                'firing': None,
                'broken': False,
            }
            DATA['kilns'][kiln['id']] = kiln
            add_history('kiln-added', kiln['id'])
            # Move the stranded firings
            moved = []
            for moving in DATA['firings']:
                if moving['state'] != 'stranded':
                    continue
                best = None
                for candidate_id in sorted(DATA['kilns'].keys()):
                    candidate = DATA['kilns'][candidate_id]
                    if candidate['broken']:
                        continue
                    if candidate['max_heat'] < moving['heat']:
                        continue
                    start = moving['starts']
                    if start < DATA['now']:
                        start = DATA['now']
                    # Calculate the duration
                    if moving['programme'] is not None:
                        stages = DATA['programmes'][moving['programme']]['stages']
                    else:
                        stages = [{'heat': moving['heat'], 'rate': candidate['rate'], 'hold': moving['hold']}]
                    current = 20
                    minutes = 0
                    for stage in stages:
                        if stage['heat'] >= current:
                            rise = stage['heat'] - current
                            rate = stage['rate']
                            if candidate['rate'] < rate:
                                rate = candidate['rate']
                        else:
                            rise = current - stage['heat']
                            rate = stage['rate']
                            if candidate['cooling'] is not None and candidate['cooling'] < rate:
                                rate = candidate['cooling']
                        minutes = minutes + rise // rate
                        if rise % rate != 0:
                            minutes = minutes + 1
                        minutes = minutes + stage['hold']
                        current = stage['heat']
                    ends = start + minutes
                    opens = ends
                    if candidate['cooling'] is not None and current > 60:
                        opens = ends + (current - 60) // candidate['cooling']
                        if (current - 60) % candidate['cooling'] != 0:
                            opens = opens + 1
                    # Find a free time
                    while True:
                        shift = None
                        for other in DATA['firings']:
                            if other['kiln'] == candidate_id and (other['state'] in ['planned', 'firing', 'cooling'] or (other['state'] == 'stopped' and other['opens'] > DATA['now'])):
                                if start < other['opens'] and other['starts'] < opens:
                                    if shift is None or other['opens'] < shift:
                                        shift = other['opens']
                        for lease in DATA['leases']:
                            if lease['kiln'] == candidate_id and not lease['cancelled'] and lease['member'] != moving['member']:
                                if start < lease['to'] and lease['from'] < opens:
                                    if shift is None or lease['to'] < shift:
                                        shift = lease['to']
                        if shift is None:
                            break
                        ends = ends + shift - start
                        opens = opens + shift - start
                        start = shift
                    if best is None or start < best['starts']:
                        best = {'kiln': candidate_id, 'starts': start, 'ends': ends, 'opens': opens, 'has_cooling': candidate['cooling'] is not None}
                if best is not None:
                    moving['kiln'] = best['kiln']
                    moving['starts'] = best['starts']
                    moving['ends'] = best['ends']
                    moving['opens'] = best['opens']
                    moving['has_cooling'] = best['has_cooling']
                    moving['moves'] = moving['moves'] + 1
                    moving['state'] = 'planned'
                    add_history('firing-moved', moving['id'])
                    DATA['history'][-1]['kiln'] = moving['kiln']
                    DATA['history'][-1]['starts'] = moving['starts']
                    moved.append(moving)
            # Start what has to start now
            for firing in moved:
                if firing['starts'] == DATA['now']:
                    kiln = DATA['kilns'][firing['kiln']]
                    # Load the pieces
                    only_owner = None
                    for lease in DATA['leases']:
                        if lease['kiln'] == kiln['id'] and not lease['cancelled']:
                            if lease['from'] <= firing['starts'] and firing['starts'] < lease['to']:
                                if lease['member'] == firing['member']:
                                    only_owner = firing['member']
                    loaded = []
                    used = 0
                    queue = []
                    for piece in DATA['pieces']:
                        if piece['state'] == 'waiting':
                            queue.append(piece)
                    queue.sort(key=lambda p: (p['rank'], 0 if p['due'] is not None else 1, p['due'] if p['due'] is not None else 0, int(p['id'][1:])))
                    for piece in queue:
                        if only_owner is not None and piece['owner'] != only_owner:
                            continue
                        if piece['due'] is not None and firing['opens'] > piece['due']:
                            continue
                        if piece['after'] is not None and find_piece(piece['after'])['state'] != 'fired':
                            continue
                        if firing['heat'] < piece['heat'] or firing['heat'] > piece['heat'] + 40:
                            continue
                        if used + piece['size'] > kiln['room']:
                            continue
                        loaded.append(piece['id'])
                        used = used + piece['size']
                    if len(loaded) == 0:
                        firing['state'] = 'empty'
                        add_history('firing-empty', firing['id'])
                    else:
                        firing['state'] = 'firing'
                        firing['pieces'] = loaded
                        firing['used'] = used
                        add_history('firing-started', firing['id'])
                        for piece_id in loaded:
                            piece = find_piece(piece_id)
                            piece['state'] = 'firing'
                            piece['firing'] = firing['id']
                            add_history('piece-loaded', piece['id'])
                            DATA['history'][-1]['firing'] = firing['id']
                        kiln['firing'] = firing['id']
            save_data()
            return 201, kiln_to_json(DATA['kilns'][body['id']])
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
                if firing['kiln'] == parts[1] and (firing['state'] in ['planned', 'firing', 'cooling'] or (firing['state'] == 'stopped' and firing['opens'] > DATA['now'])):
                    result.append(firing_to_json(firing))
            result.sort(key=lambda f: f['starts'])
            return 200, {'plan': result}
        else:
            return 405, {'fault': 'unknown-method'}
    elif len(parts) == 3 and parts[0] == 'kilns' and parts[1] != '' and parts[2] == 'break':
        if method == 'POST':
            if parts[1] not in DATA['kilns']:
                return 404, {'fault': 'no-kiln'}
            broken_kiln = DATA['kilns'][parts[1]]
            if broken_kiln['broken']:
                return 409, {'fault': 'kiln-broken'}
            broken_kiln['broken'] = True
            add_history('kiln-broken', broken_kiln['id'])
            if broken_kiln['firing'] is not None:
                firing = find_firing(broken_kiln['firing'])
                if firing['state'] == 'cooling':
                    firing['state'] = 'done'
                    add_history('firing-done', firing['id'])
                    for piece_id in firing['pieces']:
                        piece = find_piece(piece_id)
                        if piece['passes'] is not None and piece['pass'] < len(piece['passes']):
                            piece['pass'] = piece['pass'] + 1
                            piece['heat'] = piece['passes'][piece['pass'] - 1]['heat']
                            if piece['passes'][piece['pass'] - 1]['dry'] > 0:
                                piece['state'] = 'drying'
                                piece['ready_at'] = DATA['now'] + piece['passes'][piece['pass'] - 1]['dry']
                            else:
                                piece['state'] = 'waiting'
                            add_history('piece-out', piece['id'])
                        else:
                            piece['state'] = 'fired'
                            add_history('piece-fired', piece['id'])
                elif firing['state'] == 'firing':
                    firing['state'] = 'failed'
                    firing['ends'] = DATA['now']
                    add_history('firing-failed', firing['id'])
                    for piece_id in firing['pieces']:
                        piece = find_piece(piece_id)
                        piece['state'] = 'waiting'
                        piece['firing'] = None
                        add_history('piece-back', piece['id'])
                else:
                    for piece_id in firing['pieces']:
                        piece = find_piece(piece_id)
                        piece['state'] = 'waiting'
                        piece['firing'] = None
                        add_history('piece-back', piece['id'])
                firing['opens'] = DATA['now']
                broken_kiln['firing'] = None
            # Move the planned firings
            planned = []
            for firing in DATA['firings']:
                if firing['kiln'] == broken_kiln['id'] and firing['state'] == 'planned':
                    planned.append(firing)
            planned.sort(key=lambda f: f['starts'])
            for moving in planned:
                best = None
                for candidate_id in sorted(DATA['kilns'].keys()):
                    candidate = DATA['kilns'][candidate_id]
                    if candidate['broken']:
                        continue
                    if candidate['max_heat'] < moving['heat']:
                        continue
                    start = moving['starts']
                    if start < DATA['now']:
                        start = DATA['now']
                    # Calculate the duration
                    if moving['programme'] is not None:
                        stages = DATA['programmes'][moving['programme']]['stages']
                    else:
                        stages = [{'heat': moving['heat'], 'rate': candidate['rate'], 'hold': moving['hold']}]
                    current = 20
                    minutes = 0
                    for stage in stages:
                        if stage['heat'] >= current:
                            rise = stage['heat'] - current
                            rate = stage['rate']
                            if candidate['rate'] < rate:
                                rate = candidate['rate']
                        else:
                            rise = current - stage['heat']
                            rate = stage['rate']
                            if candidate['cooling'] is not None and candidate['cooling'] < rate:
                                rate = candidate['cooling']
                        minutes = minutes + rise // rate
                        if rise % rate != 0:
                            minutes = minutes + 1
                        minutes = minutes + stage['hold']
                        current = stage['heat']
                    ends = start + minutes
                    opens = ends
                    if candidate['cooling'] is not None and current > 60:
                        opens = ends + (current - 60) // candidate['cooling']
                        if (current - 60) % candidate['cooling'] != 0:
                            opens = opens + 1
                    # Find a free time
                    while True:
                        shift = None
                        for other in DATA['firings']:
                            if other['kiln'] == candidate_id and (other['state'] in ['planned', 'firing', 'cooling'] or (other['state'] == 'stopped' and other['opens'] > DATA['now'])):
                                if start < other['opens'] and other['starts'] < opens:
                                    if shift is None or other['opens'] < shift:
                                        shift = other['opens']
                        for lease in DATA['leases']:
                            if lease['kiln'] == candidate_id and not lease['cancelled'] and lease['member'] != moving['member']:
                                if start < lease['to'] and lease['from'] < opens:
                                    if shift is None or lease['to'] < shift:
                                        shift = lease['to']
                        if shift is None:
                            break
                        ends = ends + shift - start
                        opens = opens + shift - start
                        start = shift
                    if best is None or start < best['starts']:
                        best = {'kiln': candidate_id, 'starts': start, 'ends': ends, 'opens': opens, 'has_cooling': candidate['cooling'] is not None}
                if best is not None:
                    moving['kiln'] = best['kiln']
                    moving['starts'] = best['starts']
                    moving['ends'] = best['ends']
                    moving['opens'] = best['opens']
                    moving['has_cooling'] = best['has_cooling']
                    moving['moves'] = moving['moves'] + 1
                    moving['state'] = 'planned'
                    add_history('firing-moved', moving['id'])
                    DATA['history'][-1]['kiln'] = moving['kiln']
                    DATA['history'][-1]['starts'] = moving['starts']
                else:
                    moving['state'] = 'stranded'
                    add_history('firing-stranded', moving['id'])
            save_data()
            return 200, kiln_to_json(broken_kiln)
        else:
            return 405, {'fault': 'unknown-method'}
    elif len(parts) == 3 and parts[0] == 'kilns' and parts[1] != '' and parts[2] == 'repair':
        if method == 'POST':
            if parts[1] not in DATA['kilns']:
                return 404, {'fault': 'no-kiln'}
            if not DATA['kilns'][parts[1]]['broken']:
                return 409, {'fault': 'not-broken'}
            DATA['kilns'][parts[1]]['broken'] = False
            add_history('kiln-repaired', parts[1])
            # Move the stranded firings
            moved = []
            for moving in DATA['firings']:
                if moving['state'] != 'stranded':
                    continue
                best = None
                for candidate_id in sorted(DATA['kilns'].keys()):
                    candidate = DATA['kilns'][candidate_id]
                    if candidate['broken']:
                        continue
                    if candidate['max_heat'] < moving['heat']:
                        continue
                    start = moving['starts']
                    if start < DATA['now']:
                        start = DATA['now']
                    # Calculate the duration
                    if moving['programme'] is not None:
                        stages = DATA['programmes'][moving['programme']]['stages']
                    else:
                        stages = [{'heat': moving['heat'], 'rate': candidate['rate'], 'hold': moving['hold']}]
                    current = 20
                    minutes = 0
                    for stage in stages:
                        if stage['heat'] >= current:
                            rise = stage['heat'] - current
                            rate = stage['rate']
                            if candidate['rate'] < rate:
                                rate = candidate['rate']
                        else:
                            rise = current - stage['heat']
                            rate = stage['rate']
                            if candidate['cooling'] is not None and candidate['cooling'] < rate:
                                rate = candidate['cooling']
                        minutes = minutes + rise // rate
                        if rise % rate != 0:
                            minutes = minutes + 1
                        minutes = minutes + stage['hold']
                        current = stage['heat']
                    ends = start + minutes
                    opens = ends
                    if candidate['cooling'] is not None and current > 60:
                        opens = ends + (current - 60) // candidate['cooling']
                        if (current - 60) % candidate['cooling'] != 0:
                            opens = opens + 1
                    # Find a free time
                    while True:
                        shift = None
                        for other in DATA['firings']:
                            if other['kiln'] == candidate_id and (other['state'] in ['planned', 'firing', 'cooling'] or (other['state'] == 'stopped' and other['opens'] > DATA['now'])):
                                if start < other['opens'] and other['starts'] < opens:
                                    if shift is None or other['opens'] < shift:
                                        shift = other['opens']
                        for lease in DATA['leases']:
                            if lease['kiln'] == candidate_id and not lease['cancelled'] and lease['member'] != moving['member']:
                                if start < lease['to'] and lease['from'] < opens:
                                    if shift is None or lease['to'] < shift:
                                        shift = lease['to']
                        if shift is None:
                            break
                        ends = ends + shift - start
                        opens = opens + shift - start
                        start = shift
                    if best is None or start < best['starts']:
                        best = {'kiln': candidate_id, 'starts': start, 'ends': ends, 'opens': opens, 'has_cooling': candidate['cooling'] is not None}
                if best is not None:
                    moving['kiln'] = best['kiln']
                    moving['starts'] = best['starts']
                    moving['ends'] = best['ends']
                    moving['opens'] = best['opens']
                    moving['has_cooling'] = best['has_cooling']
                    moving['moves'] = moving['moves'] + 1
                    moving['state'] = 'planned'
                    add_history('firing-moved', moving['id'])
                    DATA['history'][-1]['kiln'] = moving['kiln']
                    DATA['history'][-1]['starts'] = moving['starts']
                    moved.append(moving)
            # Start what has to start now
            for firing in moved:
                if firing['starts'] == DATA['now']:
                    kiln = DATA['kilns'][firing['kiln']]
                    # Load the pieces
                    only_owner = None
                    for lease in DATA['leases']:
                        if lease['kiln'] == kiln['id'] and not lease['cancelled']:
                            if lease['from'] <= firing['starts'] and firing['starts'] < lease['to']:
                                if lease['member'] == firing['member']:
                                    only_owner = firing['member']
                    loaded = []
                    used = 0
                    queue = []
                    for piece in DATA['pieces']:
                        if piece['state'] == 'waiting':
                            queue.append(piece)
                    queue.sort(key=lambda p: (p['rank'], 0 if p['due'] is not None else 1, p['due'] if p['due'] is not None else 0, int(p['id'][1:])))
                    for piece in queue:
                        if only_owner is not None and piece['owner'] != only_owner:
                            continue
                        if piece['due'] is not None and firing['opens'] > piece['due']:
                            continue
                        if piece['after'] is not None and find_piece(piece['after'])['state'] != 'fired':
                            continue
                        if firing['heat'] < piece['heat'] or firing['heat'] > piece['heat'] + 40:
                            continue
                        if used + piece['size'] > kiln['room']:
                            continue
                        loaded.append(piece['id'])
                        used = used + piece['size']
                    if len(loaded) == 0:
                        firing['state'] = 'empty'
                        add_history('firing-empty', firing['id'])
                    else:
                        firing['state'] = 'firing'
                        firing['pieces'] = loaded
                        firing['used'] = used
                        add_history('firing-started', firing['id'])
                        for piece_id in loaded:
                            piece = find_piece(piece_id)
                            piece['state'] = 'firing'
                            piece['firing'] = firing['id']
                            add_history('piece-loaded', piece['id'])
                            DATA['history'][-1]['firing'] = firing['id']
                        kiln['firing'] = firing['id']
            save_data()
            return 200, kiln_to_json(DATA['kilns'][parts[1]])
        else:
            return 405, {'fault': 'unknown-method'}
    # Programmes
    elif parts == ['programmes']:
        if method == 'GET':
            result = []
            for programme_id in sorted(DATA['programmes'].keys()):
                result.append(DATA['programmes'][programme_id])
            return 200, {'programmes': result}
        elif method == 'POST':
            body = parse_body(raw)
            if body is None:
                return 400, {'fault': 'not-json'}
            if 'id' not in body or not is_name(body['id']):
                return wrong('id')
            if 'stages' not in body or not isinstance(body['stages'], list):
                return wrong('stages')
            if len(body['stages']) < 1 or len(body['stages']) > 8:
                return wrong('stages')
            for stage in body['stages']:
                if not isinstance(stage, dict):
                    return wrong('stages')
                if 'heat' not in stage or not is_int(stage['heat'], 100, 1400):
                    return wrong('stages')
                if 'rate' not in stage or not is_int(stage['rate'], 1, 50):
                    return wrong('stages')
                if 'hold' not in stage or not is_int(stage['hold'], 0, 600):
                    return wrong('stages')
                for key in stage.keys():
                    if key not in ['heat', 'rate', 'hold']:
                        return wrong('stages')
            for key in sorted(body.keys()):
                if key not in ['id', 'stages']:
                    return wrong(key)
            if body['id'] in DATA['programmes']:
                return 409, {'fault': 'programme-exists'}
            top = 0
            for stage in body['stages']:
                if stage['heat'] > top:
                    top = stage['heat']
            programme = {
                'id': body['id'],
                'stages': body['stages'],
                'top': top,
            }
            DATA['programmes'][programme['id']] = programme
            add_history('programme-added', programme['id'])
            save_data()
            return 201, programme
        else:
            return 405, {'fault': 'unknown-method'}
    elif len(parts) == 2 and parts[0] == 'programmes' and parts[1] != '':
        if method == 'GET':
            if parts[1] not in DATA['programmes']:
                return 404, {'fault': 'no-programme'}
            return 200, DATA['programmes'][parts[1]]
        else:
            return 405, {'fault': 'unknown-method'}
    # Pieces
    elif parts == ['pieces']:
        if method == 'GET':
            if 'state' in params:
                if params['state'][0] not in ['drying', 'waiting', 'firing', 'fired', 'missed', 'cancelled']:
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
            if 'passes' in body:
                if 'heat' in body:
                    return wrong('heat')
            else:
                if 'heat' not in body or not is_int(body['heat'], 100, 1400):
                    return wrong('heat')
            if 'rank' in body and not is_int(body['rank'], 1, 9):
                return wrong('rank')
            if 'due' in body and not is_int(body['due'], 0, 10000000):
                return wrong('due')
            if 'passes' in body:
                if not isinstance(body['passes'], list):
                    return wrong('passes')
                if len(body['passes']) < 1 or len(body['passes']) > 5:
                    return wrong('passes')
                for item in body['passes']:
                    if not isinstance(item, dict):
                        return wrong('passes')
                    if 'heat' not in item or not is_int(item['heat'], 100, 1400):
                        return wrong('passes')
                    if 'dry' in item and not is_int(item['dry'], 0, 20000):
                        return wrong('passes')
                    for key in item.keys():
                        if key not in ['heat', 'dry']:
                            return wrong('passes')
            if 'after' in body and not is_text(body['after']):
                return wrong('after')
            for key in sorted(body.keys()):
                if key not in ['owner', 'size', 'heat', 'rank', 'due', 'passes', 'after']:
                    return wrong(key)
            if 'after' in body and find_piece(body['after']) is None:
                return 404, {'fault': 'no-piece'}
            if 'due' in body and body['due'] <= DATA['now']:
                return 409, {'fault': 'in-the-past'}
            passes = None
            heat = body.get('heat')
            state = 'waiting'
            ready_at = None
            if 'passes' in body:
                passes = []
                for item in body['passes']:
                    passes.append({'heat': item['heat'], 'dry': item.get('dry', 0)})
                heat = passes[0]['heat']
                if passes[0]['dry'] > 0:
                    state = 'drying'
                    ready_at = DATA['now'] + passes[0]['dry']
            piece = {
                'id': 'P' + str(len(DATA['pieces']) + 1),
                'owner': body['owner'],
                'size': body['size'],
                'heat': heat,
                'passes': passes,
                'pass': 1,
                'after': body.get('after'),
                'ready_at': ready_at,
                'rank': body.get('rank', 5),
                'due': body.get('due'),
                'booked_at': DATA['now'],
                'state': state,
                'firing': None,
            }
            DATA['pieces'].append(piece)
            add_history('piece-booked', piece['id'])
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
            add_history('piece-changed', piece['id'])
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
            add_history('piece-cancelled', piece['id'])
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
                if params['state'][0] not in ['planned', 'firing', 'cooling', 'done', 'empty', 'cancelled', 'stopped', 'failed', 'stranded']:
                    return wrong('state')
            if 'series' in params:
                if not is_text(params['series'][0]):
                    return wrong('series')
            if 'kiln' in params:
                if params['kiln'][0] not in DATA['kilns']:
                    return 404, {'fault': 'no-kiln'}
            result = []
            for firing in DATA['firings']:
                if 'kiln' in params and firing['kiln'] != params['kiln'][0]:
                    continue
                if 'state' in params and firing['state'] != params['state'][0]:
                    continue
                if 'series' in params and firing['series'] != params['series'][0]:
                    continue
                result.append(firing_to_json(firing))
            return 200, {'firings': result}
        elif method == 'POST':
            body = parse_body(raw)
            if body is None:
                return 400, {'fault': 'not-json'}
            if 'kiln' not in body or not is_name(body['kiln']):
                return wrong('kiln')
            if 'programme' in body:
                if 'heat' in body:
                    return wrong('heat')
                if 'hold' in body:
                    return wrong('hold')
            else:
                if 'heat' not in body or not is_int(body['heat'], 100, 1400):
                    return wrong('heat')
                if 'hold' in body and not is_int(body['hold'], 0, 600):
                    return wrong('hold')
            if 'start' in body and not is_int(body['start'], 0, 10000000):
                return wrong('start')
            if 'programme' in body and not is_name(body['programme']):
                return wrong('programme')
            if 'member' in body and not is_text(body['member']):
                return wrong('member')
            for key in sorted(body.keys()):
                if key not in ['kiln', 'heat', 'hold', 'start', 'programme', 'member']:
                    return wrong(key)
            if body['kiln'] not in DATA['kilns']:
                return 404, {'fault': 'no-kiln'}
            kiln = DATA['kilns'][body['kiln']]
            if 'programme' in body:
                if body['programme'] not in DATA['programmes']:
                    return 404, {'fault': 'no-programme'}
                heat = DATA['programmes'][body['programme']]['top']
                hold = None
            else:
                heat = body['heat']
                hold = body.get('hold', 30)
            member = body.get('member')
            if kiln['broken']:
                return 409, {'fault': 'kiln-broken'}
            start = body.get('start', DATA['now'])
            if start < DATA['now']:
                return 409, {'fault': 'in-the-past'}
            if heat > kiln['max_heat']:
                return 409, {'fault': 'too-hot', 'max_heat': kiln['max_heat']}
            programme = body.get('programme')
            # Calculate the duration
            if programme is not None:
                stages = DATA['programmes'][programme]['stages']
            else:
                stages = [{'heat': heat, 'rate': kiln['rate'], 'hold': hold}]
            current = 20
            minutes = 0
            for stage in stages:
                if stage['heat'] >= current:
                    rise = stage['heat'] - current
                    rate = stage['rate']
                    if kiln['rate'] < rate:
                        rate = kiln['rate']
                else:
                    rise = current - stage['heat']
                    rate = stage['rate']
                    if kiln['cooling'] is not None and kiln['cooling'] < rate:
                        rate = kiln['cooling']
                minutes = minutes + rise // rate
                if rise % rate != 0:
                    minutes = minutes + 1
                minutes = minutes + stage['hold']
                current = stage['heat']
            ends = start + minutes
            opens = ends
            if kiln['cooling'] is not None and current > 60:
                opens = ends + (current - 60) // kiln['cooling']
                if (current - 60) % kiln['cooling'] != 0:
                    opens = opens + 1
            # Check the leases
            blocker = None
            for lease in DATA['leases']:
                if lease['kiln'] == kiln['id'] and not lease['cancelled'] and lease['member'] != member:
                    if start < lease['to'] and lease['from'] < opens:
                        if blocker is None or lease['from'] < blocker['from']:
                            blocker = lease
            if blocker is not None:
                return 409, {'fault': 'leased', 'lease': blocker['id']}
            # Check the overlap
            blocker = None
            for other in DATA['firings']:
                if other['kiln'] == kiln['id'] and (other['state'] in ['planned', 'firing', 'cooling'] or (other['state'] == 'stopped' and other['opens'] > DATA['now'])):
                    if start < other['opens'] and other['starts'] < opens:
                        if blocker is None or other['starts'] < blocker['starts']:
                            blocker = other
            if blocker is not None:
                return 409, {'fault': 'kiln-busy', 'until': blocker['opens']}
            if start > DATA['now']:
                firing = {
                    'id': 'F' + str(len(DATA['firings']) + 1),
                    'kiln': kiln['id'],
                    'heat': heat,
                    'hold': hold,
                    'programme': programme, 'member': member, 'moves': 0, 'series': None, 'number': None,
                    'starts': start,
                    'ends': ends,
                    'opens': opens,
                    'has_cooling': kiln['cooling'] is not None,
                    'state': 'planned',
                    'pieces': [],
                    'used': 0,
                }
                DATA['firings'].append(firing)
                add_history('firing-planned', firing['id'])
                save_data()
                return 201, firing_to_json(firing)
            only_owner = None
            for lease in DATA['leases']:
                if lease['kiln'] == kiln['id'] and not lease['cancelled']:
                    if lease['from'] <= start and start < lease['to']:
                        if lease['member'] == member:
                            only_owner = member
            # Load the pieces
            loaded = []
            used = 0
            queue = []
            for piece in DATA['pieces']:
                if piece['state'] == 'waiting':
                    queue.append(piece)
            queue.sort(key=lambda p: (p['rank'], 0 if p['due'] is not None else 1, p['due'] if p['due'] is not None else 0, int(p['id'][1:])))
            for piece in queue:
                if only_owner is not None and piece['owner'] != only_owner:
                    continue
                if piece['due'] is not None and opens > piece['due']:
                    continue
                if piece['after'] is not None and find_piece(piece['after'])['state'] != 'fired':
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
                'programme': programme, 'member': member, 'moves': 0, 'series': None, 'number': None,
                'starts': start,
                'ends': ends,
                'opens': opens,
                'has_cooling': kiln['cooling'] is not None,
                'state': 'firing',
                'pieces': loaded,
                'used': used,
            }
            DATA['firings'].append(firing)
            add_history('firing-started', firing['id'])
            for piece_id in loaded:
                piece = find_piece(piece_id)
                piece['state'] = 'firing'
                piece['firing'] = firing['id']
                add_history('piece-loaded', piece['id'])
                DATA['history'][-1]['firing'] = firing['id']
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
            if firing['state'] == 'planned' or firing['state'] == 'stranded':
                firing['state'] = 'cancelled'
                add_history('firing-cancelled', firing['id'])
            elif firing['state'] == 'firing':
                kiln = DATA['kilns'][firing['kiln']]
                # Find the heat that the kiln has now
                if firing['programme'] is not None:
                    stages = DATA['programmes'][firing['programme']]['stages']
                else:
                    stages = [{'heat': firing['heat'], 'rate': kiln['rate'], 'hold': firing['hold']}]
                current = 20
                left = DATA['now'] - firing['starts']
                for stage in stages:
                    if stage['heat'] >= current:
                        rise = stage['heat'] - current
                        rate = stage['rate']
                        if kiln['rate'] < rate:
                            rate = kiln['rate']
                        up = True
                    else:
                        rise = current - stage['heat']
                        rate = stage['rate']
                        if kiln['cooling'] is not None and kiln['cooling'] < rate:
                            rate = kiln['cooling']
                        up = False
                    minutes = rise // rate
                    if rise % rate != 0:
                        minutes = minutes + 1
                    if left < minutes:
                        if up:
                            current = current + rate * left
                        else:
                            current = current - rate * left
                        break
                    current = stage['heat']
                    left = left - minutes - stage['hold']
                    if left < 0:
                        break
                firing['state'] = 'stopped'
                firing['ends'] = DATA['now']
                opens = DATA['now']
                if kiln['cooling'] is not None and current > 60:
                    opens = DATA['now'] + (current - 60) // kiln['cooling']
                    if (current - 60) % kiln['cooling'] != 0:
                        opens = opens + 1
                firing['opens'] = opens
                add_history('firing-stopped', firing['id'])
                if opens == DATA['now']:
                    for piece_id in firing['pieces']:
                        piece = find_piece(piece_id)
                        piece['state'] = 'waiting'
                        piece['firing'] = None
                        add_history('piece-back', piece['id'])
                    kiln['firing'] = None
            else:
                return 409, {'fault': 'firing-over'}
            save_data()
            return 200, firing_to_json(firing)
        else:
            return 405, {'fault': 'unknown-method'}
    # Leases
    elif parts == ['leases']:
        if method == 'GET':
            if 'kiln' in params:
                if not is_name(params['kiln'][0]):
                    return wrong('kiln')
            if 'member' in params:
                if not is_text(params['member'][0]):
                    return wrong('member')
            result = []
            for lease in DATA['leases']:
                if 'kiln' in params and lease['kiln'] != params['kiln'][0]:
                    continue
                if 'member' in params and lease['member'] != params['member'][0]:
                    continue
                result.append(lease_to_json(lease))
            return 200, {'leases': result}
        elif method == 'POST':
            body = parse_body(raw)
            if body is None:
                return 400, {'fault': 'not-json'}
            if 'member' not in body or not is_text(body['member']):
                return wrong('member')
            if 'kiln' not in body or not is_name(body['kiln']):
                return wrong('kiln')
            if 'from' not in body or not is_int(body['from'], 0, 10000000):
                return wrong('from')
            if 'to' not in body or not is_int(body['to'], 0, 10000000):
                return wrong('to')
            if body['to'] <= body['from']:
                return wrong('to')
            for key in sorted(body.keys()):
                if key not in ['member', 'kiln', 'from', 'to']:
                    return wrong(key)
            if body['kiln'] not in DATA['kilns']:
                return 404, {'fault': 'no-kiln'}
            if body['from'] < DATA['now']:
                return 409, {'fault': 'in-the-past'}
            # Check the other leases
            blocker = None
            for lease in DATA['leases']:
                if lease['kiln'] == body['kiln'] and not lease['cancelled']:
                    if body['from'] < lease['to'] and lease['from'] < body['to']:
                        if blocker is None or lease['from'] < blocker['from']:
                            blocker = lease
            if blocker is not None:
                return 409, {'fault': 'lease-taken', 'lease': blocker['id']}
            # Check the firings
            blocker = None
            for other in DATA['firings']:
                if other['kiln'] == body['kiln'] and other['member'] != body['member'] and (other['state'] in ['planned', 'firing', 'cooling'] or (other['state'] == 'stopped' and other['opens'] > DATA['now'])):
                    if body['from'] < other['opens'] and other['starts'] < body['to']:
                        if blocker is None or other['starts'] < blocker['starts']:
                            blocker = other
            if blocker is not None:
                return 409, {'fault': 'kiln-busy', 'until': blocker['opens']}
            # Check the quota
            week = body['from'] // 10080
            while week * 10080 < body['to']:
                week_start = week * 10080
                week_end = week_start + 10080
                taken = 0
                for lease in DATA['leases']:
                    if lease['member'] == body['member'] and not lease['cancelled']:
                        first = lease['from']
                        if first < week_start:
                            first = week_start
                        last = lease['to']
                        if last > week_end:
                            last = week_end
                        if last > first:
                            taken = taken + last - first
                first = body['from']
                if first < week_start:
                    first = week_start
                last = body['to']
                if last > week_end:
                    last = week_end
                if last - first > 1440 - taken:
                    return 409, {'fault': 'over-quota', 'week': week, 'left': 1440 - taken}
                week = week + 1
            lease = {
                'id': 'L' + str(len(DATA['leases']) + 1),
                'member': body['member'],
                'kiln': body['kiln'],
                'from': body['from'],
                'to': body['to'],
                'cancelled': False,
            }
            DATA['leases'].append(lease)
            add_history('lease-made', lease['id'])
            save_data()
            return 201, lease_to_json(lease)
        else:
            return 405, {'fault': 'unknown-method'}
    elif len(parts) == 2 and parts[0] == 'leases' and parts[1] != '':
        if method == 'GET':
            lease = find_lease(parts[1])
            if lease is None:
                return 404, {'fault': 'no-lease'}
            return 200, lease_to_json(lease)
        else:
            return 405, {'fault': 'unknown-method'}
    elif len(parts) == 3 and parts[0] == 'leases' and parts[1] != '' and parts[2] == 'cancel':
        if method == 'POST':
            lease = find_lease(parts[1])
            if lease is None:
                return 404, {'fault': 'no-lease'}
            if lease['cancelled'] or DATA['now'] >= lease['to']:
                return 409, {'fault': 'lease-over'}
            if DATA['now'] < lease['from']:
                lease['cancelled'] = True
            else:
                lease['to'] = DATA['now']
            add_history('lease-cancelled', lease['id'])
            save_data()
            return 200, lease_to_json(lease)
        else:
            return 405, {'fault': 'unknown-method'}
    # History
    elif parts == ['history']:
        if method == 'GET':
            if 'id' in params:
                if not is_text(params['id'][0]):
                    return wrong('id')
            after = 0
            if 'after' in params:
                text = params['after'][0]
                if len(text) < 1 or len(text) > 9:
                    return wrong('after')
                for ch in text:
                    if ch not in '0123456789':
                        return wrong('after')
                if text[0] == '0' and text != '0':
                    return wrong('after')
                after = int(text)
            result = []
            for entry in DATA['history']:
                if entry['seq'] <= after:
                    continue
                if 'id' in params and entry['id'] != params['id'][0]:
                    continue
                result.append(entry)
            return 200, {'history': result}
        else:
            return 405, {'fault': 'unknown-method'}
    # Series
    elif parts == ['series']:
        if method == 'GET':
            result = []
            for series in DATA['series']:
                result.append(series_to_json(series))
            return 200, {'series': result}
        elif method == 'POST':
            body = parse_body(raw)
            if body is None:
                return 400, {'fault': 'not-json'}
            if 'kiln' not in body or not is_name(body['kiln']):
                return wrong('kiln')
            if 'programme' in body:
                if 'heat' in body:
                    return wrong('heat')
                if 'hold' in body:
                    return wrong('hold')
            else:
                if 'heat' not in body or not is_int(body['heat'], 100, 1400):
                    return wrong('heat')
                if 'hold' in body and not is_int(body['hold'], 0, 600):
                    return wrong('hold')
            if 'start' not in body or not is_int(body['start'], 0, 10000000):
                return wrong('start')
            if 'programme' in body and not is_name(body['programme']):
                return wrong('programme')
            if 'member' in body and not is_text(body['member']):
                return wrong('member')
            if 'every' not in body or not is_int(body['every'], 60, 100000):
                return wrong('every')
            if 'times' in body and not is_int(body['times'], 1, 1000):
                return wrong('times')
            for key in sorted(body.keys()):
                if key not in ['kiln', 'heat', 'hold', 'start', 'programme', 'member', 'every', 'times']:
                    return wrong(key)
            if body['kiln'] not in DATA['kilns']:
                return 404, {'fault': 'no-kiln'}
            kiln = DATA['kilns'][body['kiln']]
            if 'programme' in body:
                if body['programme'] not in DATA['programmes']:
                    return 404, {'fault': 'no-programme'}
                heat = DATA['programmes'][body['programme']]['top']
                hold = None
            else:
                heat = body['heat']
                hold = body.get('hold', 30)
            if body['start'] <= DATA['now']:
                return 409, {'fault': 'in-the-past'}
            if heat > kiln['max_heat']:
                return 409, {'fault': 'too-hot', 'max_heat': kiln['max_heat']}
            series = {
                'id': 'S' + str(len(DATA['series']) + 1),
                'kiln': kiln['id'],
                'heat': heat,
                'hold': hold,
                'programme': body.get('programme'),
                'member': body.get('member'),
                'start': body['start'],
                'every': body['every'],
                'times': body.get('times'),
                'state': 'running',
                'settled': 0,
                'next': body['start'],
            }
            DATA['series'].append(series)
            add_history('series-added', series['id'])
            # Plan the series
            while series['state'] == 'running' and series['next'] - 1440 <= DATA['now']:
                number = series['settled'] + 1
                planned = False
                if series['next'] > DATA['now']:
                    order = {'kiln': series['kiln'], 'start': series['next']}
                    if series['programme'] is not None:
                        order['programme'] = series['programme']
                    else:
                        order['heat'] = series['heat']
                        order['hold'] = series['hold']
                    if series['member'] is not None:
                        order['member'] = series['member']
                    status, answer = process('POST', '/firings', json.dumps(order).encode('utf-8'))
                    if status == 201:
                        planned = True
                        DATA['firings'][-1]['series'] = series['id']
                        DATA['firings'][-1]['number'] = number
                if not planned:
                    add_history('series-skipped', series['id'])
                    DATA['history'][-1]['number'] = number
                series['settled'] = number
                series['next'] = series['next'] + series['every']
                if series['times'] is not None and series['settled'] >= series['times']:
                    series['state'] = 'done'
            save_data()
            return 201, series_to_json(series)
        else:
            return 405, {'fault': 'unknown-method'}
    elif len(parts) == 2 and parts[0] == 'series' and parts[1] != '':
        if method == 'GET':
            series = find_series(parts[1])
            if series is None:
                return 404, {'fault': 'no-series'}
            return 200, series_to_json(series)
        elif method == 'PATCH':
            body = parse_body(raw)
            if body is None:
                return 400, {'fault': 'not-json'}
            if 'every' in body and not is_int(body['every'], 60, 100000):
                return wrong('every')
            if 'times' in body and body['times'] is not None and not is_int(body['times'], 1, 1000):
                return wrong('times')
            for key in sorted(body.keys()):
                if key not in ['every', 'times']:
                    return wrong(key)
            series = find_series(parts[1])
            if series is None:
                return 404, {'fault': 'no-series'}
            if series['state'] != 'running':
                return 409, {'fault': 'series-over'}
            if 'times' in body and body['times'] is not None and body['times'] < series['settled']:
                return 409, {'fault': 'too-few', 'settled': series['settled']}
            if 'every' in body:
                if series['settled'] > 0:
                    series['next'] = series['next'] - series['every'] + body['every']
                series['every'] = body['every']
            if 'times' in body:
                series['times'] = body['times']
            add_history('series-changed', series['id'])
            if series['times'] is not None and series['settled'] >= series['times']:
                series['state'] = 'done'
            # Plan the series
            while series['state'] == 'running' and series['next'] - 1440 <= DATA['now']:
                number = series['settled'] + 1
                planned = False
                if series['next'] > DATA['now']:
                    order = {'kiln': series['kiln'], 'start': series['next']}
                    if series['programme'] is not None:
                        order['programme'] = series['programme']
                    else:
                        order['heat'] = series['heat']
                        order['hold'] = series['hold']
                    if series['member'] is not None:
                        order['member'] = series['member']
                    status, answer = process('POST', '/firings', json.dumps(order).encode('utf-8'))
                    if status == 201:
                        planned = True
                        DATA['firings'][-1]['series'] = series['id']
                        DATA['firings'][-1]['number'] = number
                if not planned:
                    add_history('series-skipped', series['id'])
                    DATA['history'][-1]['number'] = number
                series['settled'] = number
                series['next'] = series['next'] + series['every']
                if series['times'] is not None and series['settled'] >= series['times']:
                    series['state'] = 'done'
            save_data()
            return 200, series_to_json(series)
        else:
            return 405, {'fault': 'unknown-method'}
    elif len(parts) == 3 and parts[0] == 'series' and parts[1] != '' and parts[2] == 'cancel':
        if method == 'POST':
            series = find_series(parts[1])
            if series is None:
                return 404, {'fault': 'no-series'}
            if series['state'] != 'running':
                return 409, {'fault': 'series-over'}
            series['state'] = 'cancelled'
            add_history('series-cancelled', series['id'])
            for firing in DATA['firings']:
                if firing['series'] == series['id'] and firing['state'] in ['planned', 'stranded']:
                    firing['state'] = 'cancelled'
                    add_history('firing-cancelled', firing['id'])
            save_data()
            return 200, series_to_json(series)
        else:
            return 405, {'fault': 'unknown-method'}
    # What if
    elif parts == ['what-if']:
        if method == 'POST':
            body = parse_body(raw)
            if body is None:
                return 400, {'fault': 'not-json'}
            if 'steps' not in body or not isinstance(body['steps'], list):
                return wrong('steps')
            if len(body['steps']) < 1 or len(body['steps']) > 20:
                return wrong('steps')
            for step in body['steps']:
                if not isinstance(step, dict):
                    return wrong('steps')
                if 'send' not in step or not isinstance(step['send'], str):
                    return wrong('steps')
                if len(step['send']) < 1 or len(step['send']) > 200:
                    return wrong('steps')
                for ch in step['send']:
                    if ord(ch) < 32 or ord(ch) == 127:
                        return wrong('steps')
                if step['send'][0] == ' ' or step['send'][-1] == ' ':
                    return wrong('steps')
                if step['send'].count(' ') != 1:
                    return wrong('steps')
                if 'body' in step and not isinstance(step['body'], dict):
                    return wrong('steps')
                for key in step.keys():
                    if key not in ['send', 'body']:
                        return wrong('steps')
            for key in sorted(body.keys()):
                if key not in ['steps']:
                    return wrong(key)
            return 200, what_if(body['steps'])
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
