"""The office: what is told of forms together with the replies to them."""
from answers import Summary
from papers import Blocks, Forms
from replies import Replies


class Office:
    def __init__(self, store):
        self.blocks = Blocks(store)
        self.forms = Forms(store, self.blocks)
        self.replies = Replies(store, self.forms, self.blocks)

    def form(self, form_id):
        """The form as it is answered: its latest edition."""
        state = self.forms.get(form_id)["state"]
        edition = self.forms.edition(form_id, self.forms.latest(form_id))
        del edition["form"]
        return {"id": form_id, "state": state, **edition,
                "replies": len(self.replies.sent_to(form_id))}

    def list_forms(self):
        return [_without_questions(self.form(form_id)) for form_id in self.forms.ids()]

    def block(self, block_id):
        edition = self.blocks.edition(block_id, self.blocks.latest(block_id))
        del edition["block"]
        return {"id": block_id, **edition, "used_by": self.forms.using(block_id)}

    def list_blocks(self):
        return [_without_questions(self.block(block_id)) for block_id in self.blocks.ids()]

    def list_block_editions(self, block_id):
        return [{"edition": number, "title": edition["title"]}
                for number, edition in enumerate(self.blocks.get(block_id)["editions"], 1)]

    def list_editions(self, form_id):
        return [{"edition": number, "title": edition["title"],
                 "replies": len(self.replies.sent_to(form_id, edition=number))}
                for number, edition in enumerate(self.forms.get(form_id)["editions"], 1)]

    def seen_replies(self, form_id, edition, wanted):
        """The replies as seen in an edition, but for those of later ones."""
        self.forms.questions(form_id, edition)
        return [self.replies.seen(reply, edition)
                for reply in self.replies.of(form_id, **wanted) if reply["edition"] <= edition]

    def summary(self, form_id, edition=None, takes_all=False):
        number = edition or self.forms.latest(form_id)
        questions = self.forms.questions(form_id, number)
        answers = [self.replies.answers_in(reply, number) for reply in self.replies.sent_to(form_id)
                   if reply["edition"] == number or takes_all and reply["edition"] < number]
        is_latest = number == self.forms.latest(form_id)
        summary = Summary(self.replies.places(form_id) if is_latest else None)
        return {"form": form_id, "edition": number, "replies": len(answers),
                "questions": summary.of(questions, answers)}


def _without_questions(paper):
    return {key: value for key, value in paper.items() if key != "questions"}
