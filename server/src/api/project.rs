//! Projects that group threads: `project/…`.

use std::collections::BTreeMap;

use spindle_engine::store::{NewProject, ProjectUpdate};
use spindle_engine::threads::ThreadManager;
use spindle_schema::methods::ServerNotification;
use spindle_schema::note;
use spindle_schema::v2::{
    Project, ProjectChangeType, ProjectChangedNotification, ProjectCreateParams,
    ProjectCreateResponse, ProjectDeleteParams, ProjectDeleteResponse, ProjectImportParams,
    ProjectImportResponse, ProjectListParams, ProjectListResponse, ProjectMoveParams,
    ProjectMoveResponse, ProjectReadParams, ProjectReadResponse, ProjectRoot, ProjectSortKey,
    ProjectUpdateParams, ProjectUpdateResponse, SortDirection,
};

use super::context::{Context, thread_id};
use super::errors::{Refusal, of_engine};
use super::page::page;
use crate::rpc::{Reply, RpcError};

type Recency = BTreeMap<Box<str>, i64>;

/// All projects, page by page.
pub(super) fn list(context: &Context, params: ProjectListParams, reply: Reply<ProjectListParams>) {
    let engine = context.engine.clone();
    context.spawn(reply, async move {
        let projects = engine.store().projects().await.map_err(of_store)?;
        let recency = engine.store().project_recency().await.map_err(of_store)?;
        let mut projects: Vec<_> = projects.iter().map(|it| project_of(it, &recency)).collect();
        let mut direction = SortDirection::Asc;
        if params.sort_key == Some(ProjectSortKey::RecencyAt) {
            projects.sort_by_key(|project| project.recency_at);
            direction = SortDirection::Desc;
        }
        if params.sort_direction.unwrap_or(direction) == SortDirection::Desc {
            projects.reverse();
        }
        let (data, next_cursor) = page(projects, params.cursor.as_deref(), params.limit)?;
        Ok(ProjectListResponse { data, next_cursor })
    });
}

/// A project.
pub(super) fn read(context: &Context, params: ProjectReadParams, reply: Reply<ProjectReadParams>) {
    let engine = context.engine.clone();
    context.spawn(reply, async move {
        let project = engine.store().project(params.project_id.into()).await.map_err(of_store)?;
        Ok(ProjectReadResponse { project: with_recency(&engine, &project).await? })
    });
}

/// Makes a project.
pub(super) fn create(
    context: &Context,
    params: ProjectCreateParams,
    reply: Reply<ProjectCreateParams>,
) {
    let inside = context.clone();
    context.spawn(reply, async move {
        let new = NewProject {
            key: params.idempotency_key.into(),
            name: name(&params.name)?,
            roots: roots(params.roots),
            metadata: params.metadata.unwrap_or_default(),
            threads: Vec::new(),
        };
        Ok(ProjectCreateResponse { project: make(&inside, new).await? })
    });
}

/// Makes a project of threads that are there.
pub(super) fn import(
    context: &Context,
    params: ProjectImportParams,
    reply: Reply<ProjectImportParams>,
) {
    let inside = context.clone();
    context.spawn(reply, async move {
        let threads = params.threads.unwrap_or_default();
        let new = NewProject {
            key: params.idempotency_key.into(),
            name: name(&params.name)?,
            roots: roots(params.roots),
            metadata: params.metadata.unwrap_or_default(),
            threads: threads.iter().map(|id| thread_id(id)).collect::<Result<_, _>>()?,
        };
        Ok(ProjectImportResponse { project: make(&inside, new).await? })
    });
}

async fn make(context: &Context, new: NewProject) -> Result<Project, RpcError> {
    let engine = &context.engine;
    let (project, is_new, threads) = engine.store().create_project(new).await.map_err(of_store)?;
    if is_new {
        tell(context, &project.id, ProjectChangeType::Created);
    }
    let told = engine.tell_of_project(&threads, Some(&project.id)).await;
    told.map_err(|error| of_engine(&error))?;
    with_recency(engine, &project).await
}

/// Changes a project.
pub(super) fn update(
    context: &Context,
    params: ProjectUpdateParams,
    reply: Reply<ProjectUpdateParams>,
) {
    let inside = context.clone();
    context.spawn(reply, async move {
        let update = ProjectUpdate {
            id: params.project_id.into(),
            name: params.name.as_deref().map(name).transpose()?,
            roots: params.roots.map(roots),
            metadata: params.metadata,
        };
        let engine = &inside.engine;
        let project = engine.store().update_project(update).await.map_err(of_store)?;
        tell(&inside, &project.id, ProjectChangeType::Updated);
        Ok(ProjectUpdateResponse { project: with_recency(engine, &project).await? })
    });
}

/// Moves a project before another one, or to the end.
pub(super) fn place(context: &Context, params: ProjectMoveParams, reply: Reply<ProjectMoveParams>) {
    let inside = context.clone();
    context.spawn(reply, async move {
        let id: Box<str> = params.project_id.into();
        let before = params.before_project_id.map(Into::into);
        let moved = inside.engine.store().move_project(id.clone(), before).await;
        if moved.map_err(of_store)? {
            tell(&inside, &id, ProjectChangeType::Updated);
        }
        Ok(ProjectMoveResponse {})
    });
}

/// Removes a project. Its threads stay.
pub(super) fn delete(
    context: &Context,
    params: ProjectDeleteParams,
    reply: Reply<ProjectDeleteParams>,
) {
    let inside = context.clone();
    context.spawn(reply, async move {
        let id: Box<str> = params.project_id.into();
        let engine = &inside.engine;
        let threads = engine.store().delete_project(id.clone()).await.map_err(of_store)?;
        tell(&inside, &id, ProjectChangeType::Deleted);
        let told = engine.tell_of_project(&threads, None).await;
        told.map_err(|error| of_engine(&error))?;
        Ok(ProjectDeleteResponse {})
    });
}

/// Tells everybody that a project changed. Told before the answer, as clients know it.
fn tell(context: &Context, id: &str, change_type: ProjectChangeType) {
    let params = ProjectChangedNotification { project_id: id.to_owned(), change_type };
    context.clients.tell_all(&ServerNotification::ProjectChanged(Box::new(params)));
}

fn of_store(error: spindle_engine::store::Error) -> RpcError {
    of_engine(&error.into())
}

fn name(text: &str) -> Result<Box<str>, RpcError> {
    match text.trim() {
        "" => Err(Refusal::Empty("project name").into()),
        name => Ok(name.into()),
    }
}

fn roots(roots: Vec<ProjectRoot>) -> Vec<Box<str>> {
    roots.into_iter().map(|root| root.path.0.into()).collect()
}

async fn with_recency(
    engine: &ThreadManager,
    project: &note::Project,
) -> Result<Project, RpcError> {
    Ok(project_of(project, &engine.store().project_recency().await.map_err(of_store)?))
}

fn project_of(project: &note::Project, recency: &Recency) -> Project {
    Project {
        id: project.id.to_string(),
        name: project.name.to_string(),
        roots: project.roots.iter().map(|root| ProjectRoot { path: (&**root).into() }).collect(),
        metadata: project.metadata.clone(),
        created_at: project.created_at_ms / 1000,
        updated_at: project.updated_at_ms / 1000,
        recency_at: recency.get(&project.id).map(|at| at / 1000),
    }
}
