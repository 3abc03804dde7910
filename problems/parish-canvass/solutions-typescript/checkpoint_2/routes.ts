// The paths of the service: what each reads, asks the office for, and answers.

import { edits } from './edits'
import { questions } from './questions'
import type { Reply, Route } from './routing'
import { anObject, digits, flag, line, name, oneOf, whole, type Field } from './shapes'

const FORM_FIELDS: Field[] = [
  { name: 'id', read: name },
  { name: 'title', read: line },
  { name: 'questions', read: questions }
]

const ANSWERS: Field = { name: 'answers', read: anObject }

const REPLY_FIELDS: Field[] = [
  { name: 'by', read: line },
  ANSWERS,
  { name: 'send', read: flag, default: true }
]

function ok (body: object): Reply {
  return { status: 200, body }
}

function created (location: string, body: object): Reply {
  return { status: 201, body, headers: { Location: location } }
}

const PAPER_ROUTES: Route[] = [
  {
    method: 'GET',
    pattern: '/forms/ID/editions/N',
    handle: ({ forms }, { ids: [id, number] }) => ok(forms.editionNamed(id, number))
  },
  { method: 'GET', pattern: '/forms/ID/draft', handle: ({ forms }, { ids: [id] }) => ok(forms.draft(id)) },
  {
    method: 'POST',
    pattern: '/forms/ID/edits',
    fields: [{ name: 'revision', read: whole(0, 1000000) }, { name: 'edits', read: edits }],
    handle: ({ forms }, { ids: [id], fields: { revision, edits } }) => ok(forms.edit(id, revision, edits))
  },
  {
    method: 'POST',
    pattern: '/forms/ID/publish',
    handle: ({ forms }, { ids: [id] }) => {
      const edition = forms.publish(id)
      return created(`/forms/${id}/editions/${edition.edition}`, edition)
    }
  }
]

const FORM_ROUTES: Route[] = [
  { method: 'GET', pattern: '/forms', handle: office => ok({ forms: office.listForms() }) },
  {
    method: 'POST',
    pattern: '/forms',
    fields: FORM_FIELDS,
    handle: (office, { fields }) => {
      const { id, title, questions } = fields
      office.forms.add({ id, title, questions })
      return created(`/forms/${id}`, office.form(id))
    }
  },
  { method: 'GET', pattern: '/forms/ID', handle: (office, { ids: [id] }) => ok(office.form(id)) },
  {
    method: 'POST',
    pattern: '/forms/ID/close',
    handle: (office, { ids: [id] }) => {
      office.forms.setState(id, 'closed')
      return ok(office.form(id))
    }
  },
  {
    method: 'POST',
    pattern: '/forms/ID/open',
    handle: (office, { ids: [id] }) => {
      office.forms.setState(id, 'open')
      return ok(office.form(id))
    }
  },
  {
    method: 'GET',
    pattern: '/forms/ID/editions',
    handle: (office, { ids: [id] }) => ok({ editions: office.listEditions(id) })
  },
  {
    method: 'GET',
    pattern: '/forms/ID/summary',
    parameters: { edition: digits },
    handle: (office, { ids: [id], parameters: { edition } }) => ok(office.summary(id, edition))
  },
  ...PAPER_ROUTES
]

const REPLY_ROUTES: Route[] = [
  {
    method: 'GET',
    pattern: '/forms/ID/replies',
    parameters: { by: line, state: oneOf('begun', 'sent'), edition: digits },
    handle: ({ replies }, { ids: [id], parameters }) => ok({
      replies: replies.of(id, parameters).map(reply => replies.shown(reply))
    })
  },
  {
    method: 'POST',
    pattern: '/forms/ID/replies',
    fields: REPLY_FIELDS,
    handle: ({ replies }, { ids: [id], fields }) => {
      const reply = replies.add(id, fields)
      return created(`/replies/${reply.id}`, replies.shown(reply))
    }
  },
  {
    method: 'GET',
    pattern: '/replies/ID',
    handle: ({ replies }, { ids: [id] }) => ok(replies.shown(replies.get(id)))
  },
  {
    method: 'PUT',
    pattern: '/replies/ID',
    fields: [ANSWERS],
    handle: ({ replies }, { ids: [id], fields }) => ok(replies.shown(replies.replaceAnswers(id, fields.answers)))
  },
  {
    method: 'PATCH',
    pattern: '/replies/ID',
    fields: [ANSWERS],
    handle: ({ replies }, { ids: [id], fields }) => ok(replies.shown(replies.changeAnswers(id, fields.answers)))
  },
  {
    method: 'POST',
    pattern: '/replies/ID/send',
    handle: ({ replies }, { ids: [id] }) => ok(replies.shown(replies.send(id)))
  },
  {
    method: 'DELETE',
    pattern: '/replies/ID',
    handle: ({ replies }, { ids: [id] }) => {
      replies.remove(id)
      return ok({ removed: id })
    }
  }
]

export const ROUTES = [...FORM_ROUTES, ...REPLY_ROUTES]
