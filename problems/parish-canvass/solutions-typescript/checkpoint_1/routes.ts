// The paths of the service: what each reads, asks the office for, and answers.

import { questions } from './questions'
import type { Reply, Route } from './routing'
import { anObject, line, name, type Field } from './shapes'

const FORM_FIELDS: Field[] = [
  { name: 'id', read: name },
  { name: 'title', read: line },
  { name: 'questions', read: questions }
]

const ANSWERS: Field = { name: 'answers', read: anObject }

const REPLY_FIELDS: Field[] = [{ name: 'by', read: line }, ANSWERS]

function ok (body: object): Reply {
  return { status: 200, body }
}

function created (location: string, body: object): Reply {
  return { status: 201, body, headers: { Location: location } }
}

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
    pattern: '/forms/ID/summary',
    handle: (office, { ids: [id] }) => ok(office.summary(id))
  }
]

const REPLY_ROUTES: Route[] = [
  {
    method: 'GET',
    pattern: '/forms/ID/replies',
    parameters: { by: line },
    handle: ({ replies }, { ids: [id], parameters }) => ok({ replies: replies.of(id, parameters) })
  },
  {
    method: 'POST',
    pattern: '/forms/ID/replies',
    fields: REPLY_FIELDS,
    handle: ({ replies }, { ids: [id], fields }) => {
      const reply = replies.add(id, fields.by, fields.answers)
      return created(`/replies/${reply.id}`, reply)
    }
  },
  { method: 'GET', pattern: '/replies/ID', handle: ({ replies }, { ids: [id] }) => ok(replies.get(id)) },
  {
    method: 'PUT',
    pattern: '/replies/ID',
    fields: [ANSWERS],
    handle: ({ replies }, { ids: [id], fields }) => ok(replies.replaceAnswers(id, fields.answers))
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
