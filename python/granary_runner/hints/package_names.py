"""The packages of modules that have another name. Loaded after an import has failed."""

from __future__ import annotations

# module → package, where the two differ
PACKAGES = {
    module: package
    for package, modules in (
        line.split(" ", 1)
        for line in """
ansible-core ansible
antlr4-python3-runtime antlr4
apache-airflow airflow
apache-beam apache_beam
argon2-cffi argon2
attrs attr
azure-identity azure.identity
azure-storage-blob azure.storage.blob
beautifulsoup4 bs4
biopython Bio
cupy-cuda12x cupy
discord.py discord
django-environ environ
djangorestframework rest_framework
dnspython dns
email-validator email_validator
faiss-cpu faiss
ffmpeg-python ffmpeg
fonttools fontTools
gdal osgeo ogr osr
gitpython git
google-api-python-client googleapiclient apiclient
google-cloud-bigquery google.cloud.bigquery
google-cloud-storage google.cloud.storage
google-generativeai google.generativeai
great-tables great_tables
grpcio grpc
grpcio-tools grpc_tools
imbalanced-learn imblearn
ipython IPython
jpype1 jpype
jupyter-client jupyter_client
kafka-python kafka
levenshtein Levenshtein
llama-index llama_index
memory-profiler memory_profiler
mysql-connector-python mysql mysql.connector
mysqlclient MySQLdb
newspaper3k newspaper
opencv-python cv2
opencv-contrib-python cv2.aruco
pdfminer.six pdfminer
pillow PIL
pillow-heif pillow_heif
progressbar2 progressbar
protobuf google.protobuf
psycopg2-binary psycopg2
py-cpuinfo cpuinfo
pycryptodome Crypto
pycryptodomex Cryptodome
pygithub github
pygobject gi
pyjwt jwt
pymongo bson gridfs
pymupdf fitz
pynacl nacl
pyopengl OpenGL
pyopenssl OpenSSL
pypdf2 PyPDF2
pyqt5 PyQt5
pyqt6 PyQt6
pyserial serial
pysocks socks
python-barcode barcode
python-dateutil dateutil
python-docx docx
python-dotenv dotenv
python-gitlab gitlab
python-jose jose
python-json-logger pythonjsonlogger
python-ldap ldap
python-louvain community
python-magic magic
python-multipart multipart
python-pptx pptx
python-slugify slugify
python-snappy snappy
python-telegram-bot telegram
pytorch-lightning pytorch_lightning
pyusb usb
pywavelets pywt
pywin32 win32api win32con win32gui win32com pythoncom pywintypes
pyyaml yaml
pyzmq zmq
qdrant-client qdrant_client
ruamel.yaml ruamel
scikit-image skimage
scikit-learn sklearn
scikit-learn-extra sklearn_extra
scikit-optimize skopt
scikit-posthocs scikit_posthocs
scikit-survival sksurv
segment-anything segment_anything
segmentation-models-pytorch segmentation_models_pytorch
sentence-transformers sentence_transformers
sentry-sdk sentry_sdk
setuptools pkg_resources distutils
simple-salesforce simple_salesforce
snowflake-connector-python snowflake snowflake.connector
speechrecognition speech_recognition
stable-baselines3 stable_baselines3
tensorflow-datasets tensorflow_datasets
tensorflow-hub tensorflow_hub
typing-extensions typing_extensions
umap-learn umap
websocket-client websocket
wikipedia-api wikipediaapi
youtube-dl youtube_dl
yt-dlp yt_dlp
zope.interface zope
""".strip().split("\n")
    )
    for module in modules.split()
}

# Modules that no package brings.
REMOVED = {
    "asynchat": "Python 3.12 removed it; use asyncio.",
    "asyncore": "Python 3.12 removed it; use asyncio.",
    "cgi": "Python 3.13 removed it.",
    "imp": "Python 3.12 removed it; use importlib.",
    "telnetlib": "Python 3.13 removed it.",
    "ConfigParser": "Python 3 calls it configparser.",
    "Queue": "Python 3 calls it queue.",
    "StringIO": "Python 3 has it in io.",
    "Tkinter": "Python 3 calls it tkinter.",
    "cPickle": "Python 3 calls it pickle.",
    "urllib2": "Python 3 calls it urllib.request.",
    "urlparse": "Python 3 calls it urllib.parse.",
    "msvcrt": "Only Python on Windows has it.",
    "winreg": "Only Python on Windows has it.",
    "tkinter": "This Python was built without it; the system's package python3-tk has it.",
    "_tkinter": "This Python was built without it; the system's package python3-tk has it.",
}

# Modules that only hold those of several packages, with one of these.
NAMESPACES = {
    "azure": "azure-storage-blob",
    "google": "google-cloud-storage",
    "google.cloud": "google-cloud-storage",
    "sphinxcontrib": "sphinxcontrib-mermaid",
}

# Usually files of the user's own, and on PyPI something else.
OWN = frozenset(
    "app api base common conf config constants core data helper helpers lib main model models my_module mymodule script"
    " scripts settings setup src test tests tool tools util utils".split()
)
