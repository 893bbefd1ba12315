# Two stages: the first installs and compiles, the second only runs, as an ordinary user.
ARG PYTHON=3.12

FROM python:${PYTHON}-slim AS build
WORKDIR /app
COPY requirements-uv.lock requirements.lock ./
RUN python -m venv .venv \
    && .venv/bin/pip install --no-cache-dir --require-hashes -r requirements-uv.lock \
    && VIRTUAL_ENV=/app/.venv .venv/bin/uv pip sync --no-cache --require-hashes requirements.lock
COPY pyproject.toml README.md LICENSE ./
COPY core core
COPY bot bot
RUN .venv/bin/pip install --no-cache-dir --no-deps --no-build-isolation --editable .
# One code for every processor of this kind, so that an image warmed here is warm everywhere.
ENV NUMBA_CPU_NAME=generic NUMBA_CACHE_DIR=/app/kernels
RUN .venv/bin/renju warm

FROM python:${PYTHON}-slim
RUN useradd --system --create-home --uid 10001 renju \
    && mkdir /data && chown renju:renju /data
WORKDIR /app
COPY --from=build --chown=renju:renju /app /app
USER renju
ENV PATH=/app/.venv/bin:$PATH \
    PYTHONUNBUFFERED=1 \
    NUMBA_CPU_NAME=generic \
    NUMBA_CACHE_DIR=/app/kernels \
    RENJU_DATA_DIR=/data \
    RENJU_WEB_ADDR=0.0.0.0:8080
VOLUME /data
EXPOSE 8080
HEALTHCHECK --interval=30s --timeout=5s CMD \
    python -c "import urllib.request as u; u.urlopen('http://127.0.0.1:8080/health', timeout=4)"
ENTRYPOINT ["renju"]
CMD ["run"]
