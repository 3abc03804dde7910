"""The office: what is told of forms together with the replies to them."""
from answers import summary
from forms import Forms
from replies import Replies


class Office:
    def __init__(self, store):
        self.forms = Forms(store)
        self.replies = Replies(store, self.forms)

    def form(self, form_id):
        """The form as it is answered: its latest edition."""
        state = self.forms.get(form_id)["state"]
        edition = self.forms.edition(form_id, self.forms.latest(form_id))
        del edition["form"]
        return {"id": form_id, "state": state, **edition,
                "replies": len(self.replies.sent_to(form_id))}

    def list_forms(self):
        return [{key: value for key, value in self.form(form_id).items() if key != "questions"}
                for form_id in self.forms.ids()]

    def list_editions(self, form_id):
        return [{"edition": number, "title": edition["title"],
                 "replies": len(self.replies.sent_to(form_id, edition=number))}
                for number, edition in enumerate(self.forms.get(form_id)["editions"], 1)]

    def summary(self, form_id, edition=None):
        number = edition or self.forms.latest(form_id)
        questions = self.forms.edition(form_id, number)["questions"]
        replies = self.replies.sent_to(form_id, edition=number)
        sums = summary(questions, [reply["answers"] for reply in replies])
        return {"form": form_id, "edition": number, "replies": len(replies), "questions": sums}
