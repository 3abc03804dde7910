"""Judges the answers of a reply by the questions of its form, and sums answers up."""
from errors import bad_answers
from kinds import kind_of


def is_given(value):
    return value is not None and value != ""


def judged(questions, answers):
    """What is kept of the answers, if there is no fault in them."""
    ids = {question["id"] for question in questions}
    faults = [_fault(key, "unknown") for key in answers if key not in ids]
    kept = {key: value for key, value in answers.items() if is_given(value)}
    for question in questions:
        fault = _fault_of(question, kept)
        if fault:
            faults.append(_fault(question["id"], fault))
    if faults:
        raise bad_answers(faults)
    return kept


def _fault_of(question, kept):
    if question["id"] in kept:
        return kind_of(question).fault(question, kept[question["id"]])
    return "missing" if question["needed"] else None


def _fault(at, fault):
    return {"at": at, "fault": fault}


def summary(questions, all_answers):
    return [_sums(question, all_answers) for question in questions]


def _sums(question, all_answers):
    values = [answers[question["id"]] for answers in all_answers if question["id"] in answers]
    return {"id": question["id"], "given": len(values), **kind_of(question).sums(question, values)}
